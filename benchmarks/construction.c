/* One bee through all stages of a pairwise problem: the loop of algorithms/swarmkit_bees/kernel.py in C.
 *
 * roulette = 0: candidates are tried in random order until one adds theta per neighbour or `tries` were tried;
 * roulette = 1: a candidate is drawn in proportion to what it adds. Returns the best score of all paths.
 */
#include <math.h>
#include <stdint.h>

static inline uint64_t rotated(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

static inline uint64_t random_bits(uint64_t *w) {
    uint64_t result = rotated(w[0] + w[3], 23) + w[0], shifted = w[1] << 17;
    w[2] ^= w[0]; w[3] ^= w[1]; w[1] ^= w[2]; w[0] ^= w[3];
    w[2] ^= shifted;
    w[3] = rotated(w[3], 45);
    return result;
}

static inline double uniform(uint64_t *w) { return (random_bits(w) >> 11) * (1.0 / 9007199254740992.0); }
static inline int64_t below(uint64_t *w, int64_t bound) { return ((random_bits(w) >> 32) * (uint64_t)bound) >> 32; }

double construct(int64_t n, const int64_t *sizes, const int64_t *offsets, const double *unary, const double *flat,
                 const int64_t *order, const int64_t *indptr, const int64_t *earlier, const int64_t *start,
                 const int64_t *own, const int64_t *other, const double *weight, int64_t roulette, double theta,
                 int64_t tries, int64_t paths, uint64_t *state, int64_t *held, int64_t *urn, double *values,
                 int64_t *bases, int64_t *best, int64_t *looks) {
    double best_score = -INFINITY;
    *looks = 0;
    for (int64_t made = 0; made < paths; made++) {
        double quality = 0.0;
        for (int64_t t = 0; t < n; t++) {
            int64_t slot = offsets[order[t]], m = sizes[order[t]], low = indptr[t], high = indptr[t + 1], choice = 0;
            for (int64_t h = low; h < high; h++) bases[h - low] = start[h] + held[earlier[h]] * other[h];
            if (roulette) {
                double lowest = 0.0, total = 0.0;
                for (int64_t c = 0; c < m; c++) {
                    double value = unary[slot + c];
                    for (int64_t h = low; h < high; h++) value += weight[h] * flat[bases[h - low] + c * own[h]];
                    values[c] = value;
                    if (value < lowest) lowest = value;
                    total += value;
                }
                total -= m * lowest;
                *looks += m;
                if (total > 0.0) {
                    double point = uniform(state) * total;
                    choice = m - 1;
                    for (int64_t c = 0; c < m; c++) {
                        point -= values[c] - lowest;
                        if (point < 0.0) { choice = c; break; }
                    }
                } else {
                    choice = below(state, m);
                }
                quality += values[choice];
            } else {
                double most = -INFINITY, goal = theta * (high - low > 1 ? high - low : 1);
                for (int64_t c = 0; c < m; c++) urn[c] = c;
                for (int64_t i = 0; i < (tries < m ? tries : m); i++) {
                    int64_t j = m - i > 1 ? i + below(state, m - i) : i, c = urn[j];
                    urn[j] = urn[i];
                    urn[i] = c;
                    double value = unary[slot + c];
                    for (int64_t h = low; h < high; h++) value += weight[h] * flat[bases[h - low] + c * own[h]];
                    (*looks)++;
                    choice = value > most ? c : choice;
                    most = value > most ? value : most;
                    if (value >= goal) break;
                }
                quality += most;
            }
            held[t] = choice;
        }
        if (quality > best_score) {
            best_score = quality;
            for (int64_t t = 0; t < n; t++) best[order[t]] = held[t];
        }
    }
    return best_score;
}
