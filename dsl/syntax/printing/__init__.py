"""Writes syntax trees and models as text, formats specs, and highlights them."""
