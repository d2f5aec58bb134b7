"""Write syntax trees and models as text, format specs, and highlight them."""
