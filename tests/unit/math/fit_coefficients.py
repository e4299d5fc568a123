#!/usr/bin/env python3
"""Computes the coefficients of compiler/target/hopper/ExpandMath/Coefficients.h and prints that header.

Each polynomial interpolates its function at the Chebyshev nodes of its interval, in 60 digits (mpmath), which is within a
small factor of the best polynomial of that degree. The comment before each table says what it approximates and the largest
error found between the nodes, before the coefficients are rounded.

    python3 fit_coefficients.py > ../../../compiler/target/hopper/ExpandMath/Coefficients.h
"""
from mpmath import mp, mpf
import mpmath as m

mp.dps = 60


def series_safe(f):
    """Evaluates f, which cancels near 0, with three times the digits."""

    def evaluate(x):
        with m.workdps(180):
            return f(mpf(x) if abs(x) > mpf(10) ** -40 else mpf(10) ** -40)

    return evaluate


def erfcx(x):
    return m.exp(x * x) * m.erfc(x)


def rational(k):
    """x in terms of t = (x - k) / (x + k)."""
    return lambda t: k * (1 + t) / (1 - t)


def erfinv_center(v):
    """erfinv(x) / x where v = -log(1 - x^2) - 2.5."""
    w = v + mpf(5) / 2
    x = m.sqrt(-m.expm1(-w)) if w > mpf(10) ** -40 else mpf(10) ** -20
    return m.erfinv(x) / x


def erfinv_tail(start):
    def f(v):
        """erfinv(x) / x where v = sqrt(-log(1 - x^2)) - start."""
        s = v + start
        w = s * s
        y = -m.expm1(m.log1p(-m.exp(-w)) / 2)  # 1 - x
        e = m.sqrt(w - m.log(2) - m.log(m.sqrt(m.pi) * s))
        with m.workdps(60):
            e = m.findroot(lambda q: m.log(m.erfc(q)) - m.log(y), e)
        return e / (1 - y)

    return f


def bessel_far(order):
    def f(u):
        x = 1 / max(u, mpf(10) ** -30)
        return m.exp(-x) * m.sqrt(x) * m.besseli(order, x)

    return f


def over_zeros(order):
    """J over x^order and its first four zeros; 32 + 32 t = x^2."""
    zeros = [m.besseljzero(order, k) ** 2 for k in (1, 2, 3, 4)]

    def g(t):
        z = max(32 + 32 * t, mpf(10) ** -40)
        return m.besselj(order, m.sqrt(z)) / m.sqrt(z) ** order / m.fprod(z - zero for zero in zeros)

    return g


def over_zeros_of_y(order, indices, middle):
    """Y over x minus some of its zeros, x = middle + t."""
    zeros = [m.besselyzero(order, k) for k in indices]
    return lambda t: m.bessely(order, middle + t) / m.fprod(middle + t - zero for zero in zeros)


def over_power(order):
    """J over x^order, z = x^2."""

    def g(z):
        x = m.sqrt(max(z, mpf(10) ** -40))
        return m.besselj(order, x) / x**order

    return g


def bessel_y_rest(order, square):
    """What is left of Y without its logarithm and its pole, over x^order; square(t) = x^2."""

    def g(t):
        x = m.sqrt(max(square(t), mpf(10) ** -20))
        pole = 1 / x if order else 0
        return (m.bessely(order, x) - 2 / m.pi * (m.log(x) * m.besselj(order, x) - pole)) / x**order

    return g


def modulus(order):
    """sqrt(x (J^2 + Y^2)), z = 1 / x^2."""

    def g(z):
        x = 1 / m.sqrt(max(z, mpf(10) ** -24))
        return m.sqrt(x * (m.besselj(order, x) ** 2 + m.bessely(order, x) ** 2))

    return g


def phase(order):
    """x times the angle of J + iY beyond x - (order + 1/2) pi / 2, z = 1 / x^2."""

    def g(z):
        x = 1 / m.sqrt(max(z, mpf(10) ** -24))
        c = x - (2 * order + 1) * m.pi / 4
        j, y = m.besselj(order, x), m.bessely(order, x)
        return x * m.atan2(y * m.cos(c) - j * m.sin(c), j * m.cos(c) + y * m.sin(c))

    return g


def centered(t):
    return 32 + 32 * t


TABLES = [
    # name, what, f, from, to, degree
    ("Exp32", "(e^r - 1 - r) / r^2", series_safe(lambda r: (m.exp(r) - 1 - r) / r**2), "-0.34666", "0.34666", 4),
    ("Exp64", "(e^r - 1 - r) / r^2", series_safe(lambda r: (m.exp(r) - 1 - r) / r**2), "-0.34666", "0.34666", 10),
    ("Log32", "(log(1 + f) - f) / f^2", series_safe(lambda f: (m.log(1 + f) - f) / f**2), "-0.29295", "0.41426", 8),
    ("Log64", "(log((1 + s) / (1 - s)) / s - 2) / z, z = s^2", series_safe(lambda z: (m.log((1 + m.sqrt(z)) / (1 - m.sqrt(z))) / m.sqrt(z) - 2) / z), "0", "0.02945", 7),
    ("LogPair", "the same beyond 2/3: (log((1 + s) / (1 - s)) / s - 2 - 2z/3) / z^2", series_safe(lambda z: (m.log((1 + m.sqrt(z)) / (1 - m.sqrt(z))) / m.sqrt(z) - 2 - 2 * z / 3) / z**2), "0", "0.02945", 8),
    ("Sin32", "(sin(r) / r - 1) / z, z = r^2", series_safe(lambda z: (m.sin(m.sqrt(z)) / m.sqrt(z) - 1) / z), "0", "0.63", 3),
    ("Cos32", "(cos(r) - 1 + z / 2) / z^2, z = r^2", series_safe(lambda z: (m.cos(m.sqrt(z)) - 1 + z / 2) / z**2), "0", "0.63", 2),
    ("Sin64", "(sin(r) / r - 1) / z, z = r^2", series_safe(lambda z: (m.sin(m.sqrt(z)) / m.sqrt(z) - 1) / z), "0", "0.62", 6),
    ("Cos64", "(cos(r) - 1 + z / 2) / z^2, z = r^2", series_safe(lambda z: (m.cos(m.sqrt(z)) - 1 + z / 2) / z**2), "0", "0.62", 6),
    ("Atan32", "(atan(t) / t - 1) / z, z = t^2", series_safe(lambda z: (m.atan(m.sqrt(z)) / m.sqrt(z) - 1) / z), "0", "0.17158", 4),
    ("Atan64", "(atan(t) / t - 1) / z, z = t^2", series_safe(lambda z: (m.atan(m.sqrt(z)) / m.sqrt(z) - 1) / z), "0", "0.17158", 12),
    ("Asin32", "(asin(x) / x - 1) / z, z = x^2", series_safe(lambda z: (m.asin(m.sqrt(z)) / m.sqrt(z) - 1) / z), "0", "0.25", 5),
    ("Asin64", "(asin(x) / x - 1) / z, z = x^2", series_safe(lambda z: (m.asin(m.sqrt(z)) / m.sqrt(z) - 1) / z), "0", "0.25", 13),
    ("Tanh32", "(tanh(x) / x - 1) / z, z = x^2", series_safe(lambda z: (m.tanh(m.sqrt(z)) / m.sqrt(z) - 1) / z), "0", "0.36", 4),
    ("Sinh32", "(sinh(x) / x - 1) / z, z = x^2", series_safe(lambda z: (m.sinh(m.sqrt(z)) / m.sqrt(z) - 1) / z), "0", "1", 3),
    ("Erf32", "erf(x) / x - 1, z = x^2", series_safe(lambda z: m.erf(m.sqrt(z)) / m.sqrt(z) - 1), "0", "1", 6),
    ("Erf64", "erf(x) / x - 1, z = x^2", series_safe(lambda z: m.erf(m.sqrt(z)) / m.sqrt(z) - 1), "0", "1", 13),
    ("ErfTail32", "-log2(1 - erf(1 + u))", lambda u: -m.log(m.erfc(1 + u), 2), "0", "2.95", 7),
    ("Erfcx32", "erfcx(x) (1 + 2x), t = (x - 4) / (x + 4)", lambda t: erfcx(rational(4)(t)) * (1 + 2 * rational(4)(t)), "-1", "0.45", 11),
    ("Erfcx64", "erfcx(x) (1 + 2x), t = (x - 4) / (x + 4)", lambda t: erfcx(rational(4)(t)) * (1 + 2 * rational(4)(t)), "-1", "0.75", 23),
    ("ErfInvCenter", "erfinv(x) / x, w = -log(1 - x^2) = v + 2.5", erfinv_center, "-2.5", "2.5", 9),
    ("ErfInvMiddle", "erfinv(x) / x, sqrt(w) = v + 3", erfinv_tail(3), "-0.77", "1.2", 9),
    ("ErfInvTail", "erfinv(x) / x, sqrt(w) = v + 4", erfinv_tail(4), "0", "23.4", 17),
    ("Lgamma64", "log(gamma(2 + u)) / u", series_safe(lambda u: m.loggamma(2 + u) / u), "-0.5", "0.5", 21),
    ("Gamma64", "gamma(2 + u)", lambda u: m.gamma(2 + u), "-0.5", "0.5", 21),
    ("Stirling64", "x (log(gamma(x)) - (x - 1/2) log(x) + x - log(2 pi) / 2), z = 1 / x^2",
     lambda z: (lambda x: x * (m.loggamma(x) - (x - mpf(1) / 2) * m.log(x) + x - m.log(2 * m.pi) / 2))(1 / m.sqrt(max(z, mpf(10) ** -40))), "0", "0.015625", 11),
    ("BesselI0Near32", "I0(x), z = x^2", lambda z: m.besseli(0, m.sqrt(z)), "0", "64", 10),
    ("BesselI0Near64", "I0(x), z = x^2", lambda z: m.besseli(0, m.sqrt(z)), "0", "64", 17),
    ("BesselI1Near32", "I1(x) / x, z = x^2", series_safe(lambda z: m.besseli(1, m.sqrt(z)) / m.sqrt(z)), "0", "64", 10),
    ("BesselI1Near64", "I1(x) / x, z = x^2", series_safe(lambda z: m.besseli(1, m.sqrt(z)) / m.sqrt(z)), "0", "64", 17),
    ("BesselI0Far32", "e^-x sqrt(x) I0(x), u = 1 / x", bessel_far(0), "0", "0.125", 5),
    ("BesselI0Far64", "e^-x sqrt(x) I0(x), u = 1 / x", bessel_far(0), "0", "0.125", 24),
    ("BesselI1Far32", "e^-x sqrt(x) I1(x), u = 1 / x", bessel_far(1), "0", "0.125", 5),
    ("BesselI1Far64", "e^-x sqrt(x) I1(x), u = 1 / x", bessel_far(1), "0", "0.125", 24),
    ("BesselJ0Near32", "J0(x) / ((z - r1^2) ... (z - r4^2)), r its zeros, z = x^2 = 32 + 32 t", over_zeros(0), "-1", "1", 7),
    ("BesselJ0Near64", "J0(x) / ((z - r1^2) ... (z - r4^2)), r its zeros, z = x^2 = 32 + 32 t", over_zeros(0), "-1", "1", 16),
    ("BesselJ1Near32", "J1(x) / x / ((z - r1^2) ... (z - r4^2)), r its zeros, z = x^2 = 32 + 32 t", over_zeros(1), "-1", "1", 7),
    ("BesselJ1Near64", "J1(x) / x / ((z - r1^2) ... (z - r4^2)), r its zeros, z = x^2 = 32 + 32 t", over_zeros(1), "-1", "1", 16),
    ("BesselJ0Small32", "J0(x), z = x^2", over_power(0), "0", "0.49", 3),
    ("BesselJ1Small32", "J1(x) / x, z = x^2", over_power(1), "0", "3.24", 4),
    ("BesselY0Small32", "Y0(x) - 2/pi log(x) J0(x), z = x^2", bessel_y_rest(0, lambda z: z), "0", "0.49", 4),
    ("BesselY1Small32", "(Y1(x) - 2/pi (log(x) J1(x) - 1 / x)) / x, z = x^2", bessel_y_rest(1, lambda z: z), "0", "3.24", 5),
    ("BesselY0Middle32", "Y0(x) / (x - r1), r its zeros, x = 1.475 + t", over_zeros_of_y(0, (1,), mpf("1.475")), "-0.775", "0.775", 12),
    ("BesselY0Upper32", "Y0(x) / ((x - r2) (x - r3)), r its zeros, x = 5.125 + t", over_zeros_of_y(0, (2, 3), mpf("5.125")), "-2.875", "2.875", 12),
    ("BesselY1Middle32", "Y1(x) / (x - r1), r its zeros, x = 2.75 + t", over_zeros_of_y(1, (1,), mpf("2.75")), "-1", "1", 10),
    ("BesselY1Upper32", "Y1(x) / ((x - r2) (x - r3)), r its zeros, x = 5.875 + t", over_zeros_of_y(1, (2, 3), mpf("5.875")), "-2.125", "2.125", 10),
    ("BesselY0Near64", "Y0(x) - 2/pi log(x) J0(x), x^2 = 32 + 32 t", bessel_y_rest(0, centered), "-1", "1", 17),
    ("BesselY1Near64", "(Y1(x) - 2/pi (log(x) J1(x) - 1 / x)) / x, x^2 = 32 + 32 t", bessel_y_rest(1, centered), "-1", "1", 17),
    ("BesselModulus0_32", "sqrt(x (J0(x)^2 + Y0(x)^2)), z = 1 / x^2", modulus(0), "0", "0.015625", 3),
    ("BesselModulus0_64", "sqrt(x (J0(x)^2 + Y0(x)^2)), z = 1 / x^2", modulus(0), "0", "0.015625", 13),
    ("BesselModulus1_32", "sqrt(x (J1(x)^2 + Y1(x)^2)), z = 1 / x^2", modulus(1), "0", "0.015625", 3),
    ("BesselModulus1_64", "sqrt(x (J1(x)^2 + Y1(x)^2)), z = 1 / x^2", modulus(1), "0", "0.015625", 13),
    ("BesselPhase0_32", "x (phase of J0 + i Y0 - x + pi/4), z = 1 / x^2", phase(0), "0", "0.015625", 3),
    ("BesselPhase0_64", "x (phase of J0 + i Y0 - x + pi/4), z = 1 / x^2", phase(0), "0", "0.015625", 13),
    ("BesselPhase1_32", "x (phase of J1 + i Y1 - x + 3 pi/4), z = 1 / x^2", phase(1), "0", "0.015625", 2),
    ("BesselPhase1_64", "x (phase of J1 + i Y1 - x + 3 pi/4), z = 1 / x^2", phase(1), "0", "0.015625", 13),
]


def fit(f, a, b, degree):
    """Coefficients, lowest first, of the interpolant in the Chebyshev nodes of [a, b], and its largest error."""
    n = degree + 1
    nodes = [m.cos(m.pi * (2 * k + 1) / (2 * n)) for k in range(n)]
    values = [f((a + b) / 2 + (b - a) / 2 * x) for x in nodes]
    cheb = [
        2 * sum(values[k] * m.cos(m.pi * j * (2 * k + 1) / (2 * n)) for k in range(n)) / n for j in range(n)
    ]
    cheb[0] /= 2
    # From Chebyshev polynomials of s = (2x - a - b) / (b - a) to powers of s, then of x.
    t0, t1, powers = [mpf(1)], [mpf(0), mpf(1)], [mpf(0)] * n
    for j in range(n):
        for i, c in enumerate(t0):
            powers[i] += cheb[j] * c
        t2 = [mpf(0)] + [2 * c for c in t1]
        for i, c in enumerate(t0):
            t2[i] -= c
        t0, t1 = t1, t2
    scale, shift = 2 / (b - a), -(a + b) / (b - a)
    result = [mpf(0)]
    for c in reversed(powers):
        grown = [mpf(0)] * (len(result) + 1)
        for i, r in enumerate(result):
            grown[i] += r * shift
            grown[i + 1] += r * scale
        grown[0] += c
        result = grown
    result = result[:n]
    error = mpf(0)
    for k in range(0, 4 * n + 1):
        x = (a + b) / 2 + (b - a) / 2 * m.cos(m.pi * k / (4 * n))
        y = f(x)
        error = max(error, abs(sum(c * x**i for i, c in enumerate(result)) - y) / max(abs(y), mpf(10) ** -30))
    return result, error


HEADER = """// Polynomials of the math functions, lowest power first. Generated by tests/unit/math/fit_coefficients.py; edit that
// script instead.
#pragma once

namespace tawa::math {
"""


def main():
    print(HEADER)
    for name, what, f, a, b, degree in TABLES:
        coefficients, error = fit(f, mpf(a), mpf(b), degree)
        print(f"/// {what}, from {a} to {b}; relative error {m.nstr(error, 2)}.")
        print(f"inline constexpr double k{name}[] = {{")
        for c in coefficients:
            print(f"    {float(c).hex()},")
        print("};\n")
    with m.workdps(500):
        value = 2 / m.pi
        words = []
        for _ in range(20):
            value *= mpf(2) ** 64
            word = int(m.floor(value))
            value -= word
            words.append(word)
    print("/// The first 1280 bits of 2 / pi after the binary point, highest first.")
    print("inline constexpr unsigned long long kTwoOverPi[] = {")
    for word in words:
        print(f"    0x{word:016x},")
    print("};\n")
    print("} // namespace tawa::math")


if __name__ == "__main__":
    main()
