from . import shop as shop
