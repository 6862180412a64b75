// A page with one recording plays it.
(() => {
  const place = document.getElementById("viewer");
  Viewer(place, JSON.parse(document.getElementById(place.dataset.recording).textContent));
})();
