"""Pictures in a browser: the charts that report and viewer share, and the viewer of recorded runs."""
