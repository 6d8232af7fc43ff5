"""Engines over a grid: prompt sizes, and any of their settings as axes; cold and warm starts; minutes on end."""
