"""Tabu search by the book, from whole scores: the plain twin of `swarmkit_local.kernels.tabu`."""

from itertools import product

import numpy as np

from swarmkit.kernels import rng

BLOCK = 32


class PlainTabu:
    """A search that computes every gain as the difference of two scores; the kernel's random numbers."""

    def __init__(self, form, x, rng_state, rules, elite, interchangeable):
        self.form, self.x, self.rng_state, self.rules = form, list(x), rng_state, rules
        self.room, self.interchangeable = elite, interchangeable
        self.binary = bool((form.sizes == 2).all())
        self.slots = [(i, c) for i, m in enumerate(form.sizes) for c in range(m)]
        self.free = [i for i, m in enumerate(form.sizes) if m > 1]
        every = np.array(list(product(*(range(m) for m in form.sizes))))
        self.ceiling = [form.marginals(every, i).max() for i in range(len(form.sizes))]
        self.now, self.elite, self.turned_away, self.path, self.around = 0, [], 0, None, False
        self.best = (self.score(self.x), list(self.x))
        self.begin_round(self.x)

    def below(self, bound):
        return int(rng.below(self.rng_state, bound))

    def score(self, x):
        return float(self.form.score(np.array([x]))[0])

    def begin_round(self, x):
        self.x, self.round_best, self.improved = list(x), (self.score(x), list(x)), self.now
        self.until, self.tabu = {}, []

    @property
    def entries(self):
        return [(i, 1 - c) for i, c in enumerate(self.x)] if self.binary else self.slots

    def entry(self, e):
        return e if not self.binary else e[0]

    def after(self, e):
        y = list(self.x)
        y[e[0]] = e[1]
        return y

    def gain(self, e):
        return self.score(self.after(e)) - self.score(self.x)

    def pick(self, admissible):
        """The kernel's choice among equals: the first block after a random one, and in it after a random place."""
        if not admissible:
            return None
        gains = {e: self.gain(e) for e in admissible}
        most, entries = max(gains.values()), self.entries
        best = [k for k, e in enumerate(entries) if gains.get(e, -np.inf) == most]
        blocks = -(-len(entries) // BLOCK)
        first = self.below(blocks)
        block = min((k // BLOCK for k in best), key=lambda b: (b - first) % blocks)
        begin, end = block * BLOCK, min(len(entries), (block + 1) * BLOCK)
        place = self.below(end - begin)
        inside = [k for k in best if k // BLOCK == block]
        return entries[min(inside, key=lambda k: (k - begin - place) % (end - begin))]

    def satisfied(self, i):
        return not self.binary and self.form.marginals(np.array([self.x]), i)[0, self.x[i]] >= self.ceiling[i] - 1e-9

    def any_move(self):
        i = self.free[self.below(len(self.free))]
        if self.binary:
            return i, 1 - self.x[i]
        c = self.below(int(self.form.sizes[i]) - 1)
        return i, c + (c >= self.x[i])

    def kick(self, strength):
        for _ in range(strength):
            self.x = self.after(self.any_move())
        self.begin_round(self.x)

    def tabu_move(self):
        k = 0
        while k < len(self.tabu):  # the order in which the kernel keeps them
            if self.until[self.tabu[k]] < self.now:
                last = self.tabu.pop()
                if k < len(self.tabu):
                    self.tabu[k] = last
            else:
                k += 1
        moves = [e for e in self.entries if self.x[e[0]] != e[1] and not self.satisfied(e[0])]
        chosen = self.pick([e for e in moves if self.entry(e) not in self.tabu])
        forbidden = {self.entry(e): e for e in self.entries if self.x[e[0]] != e[1]}
        wanted, now = self.round_best[0], self.score(self.x)
        most = wanted - now + 1e-9
        aspired = None
        for entry in self.tabu:
            if entry in forbidden and self.gain(forbidden[entry]) > most:
                most, aspired = self.gain(forbidden[entry]), forbidden[entry]
        if aspired is not None and (chosen is None or most > self.gain(chosen)):
            chosen = aspired
        if chosen is None:
            chosen = self.any_move()
        back = self.entry((chosen[0], self.x[chosen[0]]))
        if back not in self.tabu:
            self.tabu.append(back)
        self.until[back] = self.now + self.rules.tenure + self.below(self.rules.spread)
        self.x = self.after(chosen)

    def remember(self):
        now = (self.score(self.x), list(self.x))
        if now[0] > self.round_best[0]:
            self.round_best, self.improved = now, self.now
        if now[0] > self.best[0]:
            self.best = now

    def relabelled(self, x, y):
        k = self.interchangeable
        if not k:
            return y
        both = list(zip(y, x, strict=True))
        overlap = {(a, b): both.count((a, b)) for a in range(k) for b in range(k)}
        label = {}
        while overlap:
            a, b = max(overlap, key=lambda pair: (overlap[pair], -pair[0], -pair[1]))
            label[a] = b
            overlap = {pair: count for pair, count in overlap.items() if pair[0] != a and pair[1] != b}
        return [label[c] for c in y]

    def next_round(self):
        score, x = self.round_best
        self.turned_away += 1
        new = all(self.relabelled(x, y) != x for _, y in self.elite)
        worst = min(self.elite, key=lambda member: member[0], default=None)
        if new and len(self.elite) < self.room:
            self.elite.append((score, x))
            self.turned_away = 0
        elif new and score > worst[0]:
            self.elite[self.elite.index(worst)] = (score, x)
            self.turned_away = 0
        if len(self.elite) == self.room and self.turned_away >= self.room:
            self.elite, self.turned_away, self.around = [max(self.elite, key=lambda member: member[0])], 0, False
        if len(self.elite) < self.room:
            if not self.around:
                return self.kick(2 * len(self.x))
            self.x = list(max(self.elite, key=lambda member: member[0])[1])
            return self.kick(self.rules.kick + self.below(1 + len(self.x) // 8))
        first, second = self.below(self.room), self.below(self.room - 1)
        second += second >= first
        self.x = list(self.elite[first][1])
        target = self.relabelled(self.x, self.elite[second][1])
        apart = sum(a != b for a, b in zip(self.x, target, strict=True))
        if apart < self.rules.kick:
            return self.kick(self.rules.kick)
        self.path = (target, 0, max(1, apart // 4), max(1, 3 * apart // 4), (-np.inf, None))
        return None

    def path_move(self):
        target, steps, begin, end, best = self.path
        chosen = self.pick([(i, c) for i, c in enumerate(target) if self.x[i] != c])
        self.x = self.after(chosen)
        steps += 1
        if steps >= begin and self.score(self.x) > best[0]:
            best = (self.score(self.x), list(self.x))
        self.path = (target, steps, begin, end, best)
        if steps >= end:
            self.path = None
            self.begin_round(best[1])
            self.remember()

    def run(self, moves):
        for _ in range(moves):
            self.now += 1
            if self.path is not None:
                self.path_move()
                continue
            self.tabu_move()
            self.remember()
            if self.now - self.improved >= self.rules.patience:
                self.next_round()
