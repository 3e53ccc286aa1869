"""An independent model of PISA's computing instructions, written from the specification's text.

Arithmetic is exact (int, fractions.Fraction); only transcendental functions use mpmath, with enough digits to round
correctly. Sections are those of the specification, ids such as A-07 those of docs/decisions.md.
"""
