"""Training of the sense model: PyTorch, from the extra `train`; nothing here is imported when senses are found."""
