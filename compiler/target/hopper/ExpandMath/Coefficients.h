// Polynomials of the math functions, lowest power first. Written by tests/unit/math/fit_coefficients.py: change that,
// not this.
#pragma once

namespace tawa::math {

/// (e^r - 1 - r) / r^2, from -0.34666 to 0.34666; relative error 1.3e-7.
inline constexpr double kExp32[] = {
    0x1.0000000000000p-1, 0x1.5554dce622bffp-3, 0x1.555519242a4ebp-5, 0x1.120b816f1c035p-7, 0x1.6d111c631bd2cp-10,
};

/// (e^r - 1 - r) / r^2, from -0.34666 to 0.34666; relative error 3.0e-18.
inline constexpr double kExp64[] = {
    0x1.0000000000000p-1,  0x1.5555555555557p-3,  0x1.5555555555556p-5,  0x1.11111111100d7p-7,
    0x1.6c16c16c162d1p-10, 0x1.a01a01abeab3bp-13, 0x1.a01a01a6da160p-16, 0x1.71de0228febd3p-19,
    0x1.27e4db5f82a6cp-22, 0x1.af4dfb5cb7a92p-26, 0x1.1f730d7fc5a40p-29,
};

/// (log(1 + f) - f) / f^2, from -0.29295 to 0.41426; relative error 5.1e-8.
inline constexpr double kLog32[] = {
    -0x1.fffffe6ba954cp-2, 0x1.55555318fb09cp-2,  -0x1.00020cd88e8d7p-2, 0x1.99a0174a227fbp-3,  -0x1.54835c35f92cbp-3,
    0x1.22e9bfcc04912p-3,  -0x1.0cdb1fa25bb4cp-3, 0x1.0494b78ab3f48p-3,  -0x1.3a58aba24bb62p-4,
};

/// (log((1 + s) / (1 - s)) / s - 2) / z, z = s^2, from 0 to 0.02945; relative error 3.1e-18.
inline constexpr double kLog64[] = {
    0x1.5555555555555p-1, 0x1.9999999999a38p-2, 0x1.2492492476ba1p-2, 0x1.c71c72017a15cp-3,
    0x1.745cf8f6c9119p-3, 0x1.3b1c38474d3eep-3, 0x1.0fbe478772696p-3, 0x1.0c06cf14c641bp-3,
};

/// the same beyond 2/3: (log((1 + s) / (1 - s)) / s - 2 - 2z/3) / z^2, from 0 to 0.02945; relative error 3.1e-20.
inline constexpr double kLogPair[] = {
    0x1.999999999999ap-2, 0x1.2492492492491p-2, 0x1.c71c71c71cfdep-3, 0x1.745d174512f5ep-3, 0x1.3b13b1bcae4fap-3,
    0x1.1110df9bb9145p-3, 0x1.e1f80050fe02dp-4, 0x1.ac4a0689e4f11p-4, 0x1.b8d8d83f51283p-4,
};

/// (sin(r) / r - 1) / z, z = r^2, from 0 to 0.63; relative error 1.9e-10.
inline constexpr double kSin32[] = {
    -0x1.5555555448512p-3,
    0x1.11110dbaf0297p-7,
    -0x1.a01361c4c43c1p-13,
    0x1.6da7a4367de79p-19,
};

/// (cos(r) - 1 + z / 2) / z^2, z = r^2, from 0 to 0.63; relative error 5.2e-8.
inline constexpr double kCos32[] = {
    0x1.5555542f7e664p-5,
    -0x1.6c12a7b7612aep-10,
    0x1.9bc182780a840p-16,
};

/// (sin(r) / r - 1) / z, z = r^2, from 0 to 0.62; relative error 7.4e-20.
inline constexpr double kSin64[] = {
    -0x1.5555555555555p-3,  0x1.1111111111110p-7,  -0x1.a01a01a01990ap-13, 0x1.71de3a545b148p-19,
    -0x1.ae6454093c147p-26, 0x1.61217781a8ccdp-33, -0x1.ab13654fd392ap-41,
};

/// (cos(r) - 1 + z / 2) / z^2, z = r^2, from 0 to 0.62; relative error 1.6e-20.
inline constexpr double kCos64[] = {
    0x1.5555555555555p-5,  -0x1.6c16c16c16c16p-10, 0x1.a01a01a019cf6p-16, -0x1.27e4fb7710638p-22,
    0x1.1eed8de759d0dp-29, -0x1.9394b3581cec8p-37, 0x1.ab746999271a1p-45,
};

/// (atan(t) / t - 1) / z, z = t^2, from 0 to 0.17158; relative error 4.7e-8.
inline constexpr double kAtan32[] = {
    -0x1.555554472f63fp-2, 0x1.999730c0eaa66p-3, -0x1.242031de8b194p-3, 0x1.b80fea35585c9p-4, -0x1.0844758d4fa58p-4,
};

/// (atan(t) / t - 1) / z, z = t^2, from 0 to 0.17158; relative error 1.3e-19.
inline constexpr double kAtan64[] = {
    -0x1.5555555555555p-2, 0x1.9999999999997p-3,  -0x1.24924924920adp-3, 0x1.c71c71c6ddb9cp-4,  -0x1.745d173563ab2p-4,
    0x1.3b13aea9b6b8dp-4,  -0x1.1110cee3bf64ep-4, 0x1.e1d8e942d6a22p-5,  -0x1.aebd1ae878fa4p-5, 0x1.829cc4e1e78d4p-5,
    -0x1.503bca231ad2dp-5, 0x1.f5ed3e270c8a6p-6,  -0x1.c80e16e6bcb9dp-7,
};

/// (asin(x) / x - 1) / z, z = x^2, from 0 to 0.25; relative error 2.2e-8.
inline constexpr double kAsin32[] = {
    0x1.555554e435732p-3, 0x1.333430fcff28ep-4, 0x1.6d5bb95f8e653p-5,
    0x1.fd8da2554dd34p-6, 0x1.18f91e79712c6p-6, 0x1.13fed3dd245c1p-5,
};

/// (asin(x) / x - 1) / z, z = x^2, from 0 to 0.25; relative error 5.2e-18.
inline constexpr double kAsin64[] = {
    0x1.5555555555555p-3, 0x1.3333333333388p-4, 0x1.6db6db6dac1e0p-5,  0x1.f1c71c7a52ba3p-6, 0x1.6e8ba123e494cp-6,
    0x1.1c4efce23019fp-6, 0x1.c990ad3d8fdcap-7, 0x1.7b027ee1dd585p-7,  0x1.3b49de7121487p-7, 0x1.31622469ce5adp-7,
    0x1.8f193743418ffp-9, 0x1.406192d124629p-6, -0x1.3b416bb7d9257p-6, 0x1.e529c6fce9bb4p-6,
};

/// (tanh(x) / x - 1) / z, z = x^2, from 0 to 0.36; relative error 9.0e-8.
inline constexpr double kTanh32[] = {
    -0x1.55555351d578ap-2, 0x1.110ee014ec7b4p-3, -0x1.b955dc0d295e9p-5, 0x1.59e1c7ad1c727p-6, -0x1.9ada602bacb8cp-8,
};

/// (sinh(x) / x - 1) / z, z = x^2, from 0 to 1; relative error 1.2e-9.
inline constexpr double kSinh32[] = {
    0x1.5555554e858c9p-3,
    0x1.11111eaff05ecp-7,
    0x1.a008ffbc060dap-13,
    0x1.78a70e32a02ebp-19,
};

/// erf(x) / x - 1, z = x^2, from 0 to 1; relative error 5.3e-7.
inline constexpr double kErf32[] = {
    0x1.06eba7f673903p-3, -0x1.81273e7a02443p-2,  0x1.ce2d10ed44e09p-4,  -0x1.b7faba961c85ap-6,
    0x1.541270c79ca2cp-8, -0x1.a45087f1a200ap-11, 0x1.4a5690869d13fp-14,
};

/// erf(x) / x - 1, z = x^2, from 0 to 1; relative error 9.4e-19.
inline constexpr double kErf64[] = {
    0x1.06eba8214db69p-3,  -0x1.812746b0379e7p-2,  0x1.ce2f21a042bdep-4,  -0x1.b82ce312889bap-6,
    0x1.565bcd0e6502dp-8,  -0x1.c02db3feeb579p-11, 0x1.f9a326c233146p-14, -0x1.f4d2561aeafd4p-17,
    0x1.b9e6509b9867dp-20, -0x1.5f6d925a0bc7ap-23, 0x1.fc4356498c2d9p-27, -0x1.4e607b41a6416p-30,
    0x1.7f072188e194dp-34, -0x1.29b9f1b3df556p-38,
};

/// -log2(1 - erf(1 + u)), from 0 to 2.95; relative error 1.6e-7.
inline constexpr double kErfTail32[] = {
    0x1.558eb126000cfp+1,  0x1.e75291a40c248p+1, 0x1.376ac843881f2p+0,   0x1.e87be48d48d80p-5,
    -0x1.cd1f64584d703p-7, 0x1.585b0452e419ep-9, -0x1.578a08752fe65p-12, 0x1.48e348ff7c2a4p-16,
};

/// erfcx(x) (1 + 2x), t = (x - 4) / (x + 4), from -1 to 0.45; relative error 9.8e-10.
inline constexpr double kErfcx32[] = {
    0x1.3ba5916ed1001p+0,  -0x1.1df1af88059f9p-3, 0x1.f7f5b5f12e7b7p-7,   0x1.16edf0f579a2fp-4,
    -0x1.9dd9a93d38c9bp-4, 0x1.7fe014ff2d349p-4,  -0x1.0fcd3dfa5df82p-4,  0x1.30f319ada7d47p-5,
    -0x1.06561a3aa29bfp-6, 0x1.4b2e1657cf164p-8,  -0x1.2990663659e40p-10, -0x1.50fb59a6487f2p-11,
};

/// erfcx(x) (1 + 2x), t = (x - 4) / (x + 4), from -1 to 0.75; relative error 2.0e-18.
inline constexpr double kErfcx64[] = {
    0x1.3ba5916e9fd7fp+0,   -0x1.1df1ad154a28fp-3,  0x1.f7f5df66fd6a7p-7,   0x1.16ecefcfa540ep-4,
    -0x1.9ddb23c3e8874p-4,  0x1.7fee004e112c3p-4,   -0x1.0fb06dfe56142p-4,  0x1.3079edf6aa5a8p-5,
    -0x1.096238828c1cbp-6,  0x1.49c6727af5d87p-8,   -0x1.8d4a9c3d62797p-11, -0x1.a1df1e2a70512p-13,
    0x1.3be068698b9ccp-13,  -0x1.9959f4cc5a01cp-16, -0x1.788ca4d342b82p-17, 0x1.7f2d5af276b00p-18,
    0x1.3b713b970cad2p-22,  -0x1.bb2bbabb02ec5p-21, 0x1.40eafd5947706p-24,  0x1.d8b4353ca5555p-24,
    -0x1.353a87be1712dp-26, -0x1.e432644b5660ap-27, 0x1.00cd8e2f991c3p-29,  0x1.5b62d008c2d94p-30,
};

/// erfinv(x) / x, w = -log(1 - x^2) = v + 2.5, from -2.5 to 2.5; relative error 6.4e-9.
inline constexpr double kErfInvCenter[] = {
    0x1.805c5d250add4p+0,  0x1.f91e89e353ec5p-3,   -0x1.11c505c813111p-8,  -0x1.48650b88b4c67p-10,
    0x1.c9e96f22d3fa3p-13, -0x1.4db1851123b88p-18, -0x1.d0eda0a443e8cp-19, 0x1.f6a6f712a661ep-22,
    0x1.90e8ab4aaed61p-26, -0x1.32e60d3c53520p-27,
};

/// erfinv(x) / x, sqrt(w) = v + 3, from -0.77 to 1.2; relative error 2.2e-8.
inline constexpr double kErfInvMiddle[] = {
    0x1.6a9efc2248c18p+1,  0x1.006dc211f7b6ep+0,  0x1.3572c89c5c2cfp-7,   -0x1.f453cb5c5614ap-8,  0x1.758a33e5c5b2cp-8,
    -0x1.d95567378e8e0p-9, 0x1.7d31eb1e2e4f4p-10, -0x1.e311fca4c8626p-16, -0x1.2c064b176ece4p-12, 0x1.8f9c1100c4b82p-14,
};

/// erfinv(x) / x, sqrt(w) = v + 4, from 0 to 23.4; relative error 3.2e-8.
inline constexpr double kErfInvTail[] = {
    0x1.eb7e080ba925fp+1,  0x1.026e60dc928d3p+0,   0x1.45a0f395fe68cp-10, -0x1.b3248c0b049b1p-11,
    0x1.19d253e475195p-12, -0x1.15c691049f5b2p-14, 0x1.b4f7978acadfcp-17, -0x1.11f6a4b3c91eap-19,
    0x1.0fd6cd099b0fep-22, -0x1.a80ed5a68e645p-26, 0x1.02487f10204e1p-29, -0x1.e71ef42101382p-34,
    0x1.5eee8569c44e9p-38, -0x1.7a4c5d2baf7b9p-43, 0x1.26e95aaf8fc4cp-48, -0x1.39ba3395dc484p-54,
    0x1.972e6e2701f50p-61, -0x1.e62349bbe2622p-69,
};

/// log(gamma(2 + u)) / u, from -0.5 to 0.5; relative error 4.4e-21.
inline constexpr double kLgamma64[] = {
    0x1.b0ee6072093cep-2,   0x1.4a34cc4a60fa6p-2,  -0x1.13e001a557606p-4,  0x1.51322ac7d8483p-6,
    -0x1.e404fc218f683p-8,  0x1.7add6eadb6cbbp-9,  -0x1.38ac5c2bf00bfp-10, 0x1.0b36af8630f5fp-11,
    -0x1.d3fd4c7f9fa26p-13, 0x1.a127b0f9ee692p-14, -0x1.78de594a1f5d8p-15, 0x1.580dcc735f957p-16,
    -0x1.3cbd0c34c2671p-17, 0x1.259814c96e3bdp-18, -0x1.11a54bc3cfe3cp-19, 0x1.0057bc58baf67p-20,
    -0x1.e46267845840ap-22, 0x1.c959188a8539dp-23, -0x1.98152dabaf411p-24, 0x1.8367966486352p-25,
    -0x1.0cfcd77c3ec5fp-25, 0x1.01127da9788f9p-26,
};

/// gamma(2 + u), from -0.5 to 0.5; relative error 2.9e-20.
inline constexpr double kGamma64[] = {
    0x1.0000000000000p+0,  0x1.b0ee6072093cep-2,   0x1.a5b978b96bebfp-2,  0x1.4e239984650adp-4,
    0x1.301fbb0f25b69p-4,  -0x1.17f3740fe95d0p-12, 0x1.6d7eeac9d0266p-7,  -0x1.75e6e9045eaf5p-9,
    0x1.13c449d5541c4p-9,  -0x1.e21f1c9d1c325p-11, 0x1.011acf18e4461p-11, -0x1.f94a6b3e79da8p-13,
    0x1.fe579d913a3e3p-14, -0x1.fdf919bf6d4c5p-15, 0x1.fec4d83cbc5a8p-16, -0x1.ff0aea3de0981p-17,
    0x1.013959aa1f7d0p-17, -0x1.014e5423816ecp-18, 0x1.dd94b2b555158p-20, -0x1.dda7fc0f536ddp-21,
    0x1.6bfc0df7ff1b7p-21, -0x1.6c01273656b17p-22,
};

/// x (log(gamma(x)) - (x - 1/2) log(x) + x - log(2 pi) / 2), z = 1 / x^2, from 0 to 0.015625; relative error 1.9e-19.
inline constexpr double kStirling64[] = {
    0x1.5555555555555p-4,  -0x1.6c16c16c16c17p-9,  0x1.a01a01a01a012p-11, -0x1.3813813811276p-11,
    0x1.b951e2abd5621p-11, -0x1.f6ab097644f1fp-10, 0x1.a4194d84f703bp-8,  -0x1.e4030723c550cp-6,
    0x1.6df880fff2684p-3,  -0x1.52f36311baab1p+0,  0x1.42fc2d1fab81dp+3,  -0x1.9effa0f8c8ca3p+5,
};

/// I0(x), z = x^2, from 0 to 64; relative error 5.0e-21.
inline constexpr double kBesselI0Near[] = {
    0x1.0000000000000p+0,   0x1.0000000000000p-2,   0x1.0000000000000p-6,   0x1.c71c71c71c71dp-12,
    0x1.c71c71c71c705p-18,  0x1.23456789abe20p-24,  0x1.02e85c08974c5p-31,  0x1.522a43f678544p-39,
    0x1.522a43f3c5cffp-47,  0x1.0b3132ac6604fp-55,  0x1.5601859c1e784p-64,  0x1.69cac787efc6fp-73,
    0x1.4195b658aa38cp-82,  0x1.e7477a048e22cp-92,  0x1.3d45e4ad1d75dp-101, 0x1.71eed78904823p-111,
    0x1.38c9bb9def199p-121, 0x1.f2ba28a423f36p-131,
};

/// I1(x) / x, z = x^2, from 0 to 64; relative error 2.6e-22.
inline constexpr double kBesselI1Near[] = {
    0x1.0000000000000p-1,   0x1.0000000000000p-4,   0x1.5555555555555p-9,   0x1.c71c71c71c71dp-15,
    0x1.6c16c16c16c12p-21,  0x1.845c8a0ce51aep-28,  0x1.27e4fb7789600p-35,  0x1.522a43f663502p-43,
    0x1.2c9758d9e75d3p-51,  0x1.ab81ea929f530p-60,  0x1.f176958771dcap-69,  0x1.e2639f21e548ep-78,
    0x1.8bccbd18b3186p-87,  0x1.166c99e45cc07p-96,  0x1.52a178808478cp-106, 0x1.70913f872a3cbp-116,
    0x1.2bdd01e7485efp-126, 0x1.b1484aa39d158p-136,
};

/// e^-x sqrt(x) I0(x), u = 1 / x, from 0 to 0.125; relative error 6.9e-18.
inline constexpr double kBesselI0Far[] = {
    0x1.9884533d43651p-2,   0x1.9884533d43e81p-5,  0x1.cb94dd9e3cf85p-6,   0x1.debb22f7a0c55p-6,
    0x1.6e7b1fea0a646p-5,   0x1.784a47a19b5c7p-4,  0x1.578ddff301153p-5,   0x1.443849660fd2cp+4,
    -0x1.7bf6ddb5ad273p+10, 0x1.606b26a04c952p+16, -0x1.fb82778927cf4p+21, 0x1.2075c83af07dap+27,
    -0x1.057e4cc360972p+32, 0x1.7c9c968fe124cp+36, -0x1.be53b5d419e93p+40, 0x1.a5eb08a854f0bp+44,
    -0x1.40c0ac761f7a5p+48, 0x1.85fcd56050798p+51, -0x1.778a4fc306d3bp+54, 0x1.1a282e09f7c69p+57,
    -0x1.435757962b85cp+59, 0x1.10a4f669faf77p+61, -0x1.3eb029c32c3ccp+62, 0x1.cd0f7fa76dcdbp+62,
    -0x1.36e52c10032d7p+62,
};

/// e^-x sqrt(x) I1(x), u = 1 / x, from 0 to 0.125; relative error 7.3e-18.
inline constexpr double kBesselI1Far[] = {
    0x1.9884533d43651p-2,  -0x1.32633e6df2af7p-3,  -0x1.7efc0e05cc671p-5, -0x1.4f1c95c030100p-5,
    -0x1.d73302f4d1161p-5, -0x1.cb3127c8fc49fp-4,  -0x1.17b982ae83093p-4, -0x1.5ea0ce1144a9cp+4,
    0x1.98e7357795484p+10, -0x1.7a51538b85ae9p+16, 0x1.0faf162744e54p+22, -0x1.34059845e55e1p+27,
    0x1.167dae2aa6ce3p+32, -0x1.944e0f5855031p+36, 0x1.d8ebcf268614bp+40, -0x1.bdfa019b7a521p+44,
    0x1.5241ee80b7d1cp+48, -0x1.9a5d5c4e53794p+51, 0x1.8a56682ff3817p+54, -0x1.27b24c370dd8ap+57,
    0x1.523abe68ba2b9p+59, -0x1.1cb4013e56616p+61, 0x1.4c3e24975a881p+62, -0x1.dff0ee696679dp+62,
    0x1.432b0a4121172p+62,
};

/// J0(x) / ((z - r1^2) (z - r2^2)), r its zeros, z = x^2 = 32 + 32 t, from -1 to 1; relative error 1.1e-23.
inline constexpr double kBesselJ0Near[] = {
    0x1.2bc29174dd587p-10, -0x1.15d87e4b8d5b1p-9,  0x1.99e65104a68d3p-10, -0x1.5059ea69f58a4p-11,
    0x1.6409a6fd7b18ap-13, -0x1.08db6a2de263fp-15, 0x1.250f53798032fp-18, -0x1.f633ea85ead22p-22,
    0x1.577f683baf7b2p-25, -0x1.801f7f33955dap-29, 0x1.65ec7d3751af5p-33, -0x1.1a4d977495e44p-37,
    0x1.7df1ca017bf02p-42, -0x1.c0368f8aab19bp-47, 0x1.cca44bc7b0742p-52, -0x1.a21ce2cb80835p-57,
    0x1.525d5b48b52a5p-62, -0x1.e94542689c4a9p-68,
};

/// J1(x) / x / ((z - r1^2) (z - r2^2)), r its zeros, z = x^2 = 32 + 32 t, from -1 to 1; relative error 5.9e-25.
inline constexpr double kBesselJ1Near[] = {
    0x1.98ec1eee7c01ap-13, -0x1.1adb1329ed86fp-12, 0x1.4c9bd11c0aa3bp-13, -0x1.c5a7fc38dd1d3p-15,
    0x1.9ac7788fbda1dp-17, -0x1.0af8bb9889ba1p-19, 0x1.06438a6958c30p-22, -0x1.941a82675761ep-26,
    0x1.f62979d670465p-30, -0x1.0137e01b6d797p-33, 0x1.ba3fb2eea0015p-38, -0x1.43c20bf85ea9cp-42,
    0x1.98ae519e5ac3dp-47, -0x1.c179ab68a6b1fp-52, 0x1.b2a6a4a68c1e3p-57, -0x1.7484a74a6b84fp-62,
    0x1.1d7c75cae6029p-67, -0x1.881df66e7f87bp-73,
};

/// Y0(x) - 2/pi log(x) J0(x), x^2 = 32 + 32 t, from -1 to 1; relative error 2.9e-18.
inline constexpr double kBesselY0Near[] = {
    -0x1.876cb72f1c7ebp-2,  -0x1.a828bfbfdc936p-1, 0x1.a5a81d661f788p+0,   0x1.272bb3b608b42p-3,
    -0x1.13da2b14a486ep+0,  0x1.5827981135a27p-1,  -0x1.c06cc647f6a9dp-3,  0x1.7bd6bf2ce921bp-5,
    -0x1.cc70601236722p-8,  0x1.a6a8c6c98385bp-11, -0x1.31537c5c91eedp-14, 0x1.651b8eda081b1p-18,
    -0x1.5995ab83d6874p-22, 0x1.1998aad3b2e5ap-26, -0x1.880052e1acd53p-31, 0x1.d7ca9aa7b0e67p-36,
    -0x1.f1a7705cf8efcp-41, 0x1.ccbf52cb5a567p-46,
};

/// (Y1(x) - 2/pi (log(x) J1(x) - 1 / x)) / x, x^2 = 32 + 32 t, from -1 to 1; relative error 5.0e-20.
inline constexpr double kBesselY1Near[] = {
    0x1.21d516f81acf6p-4,   -0x1.f26fddceafd0ep-3, 0x1.7edab31507d03p-6,   0x1.e16d7a1d07b70p-3,
    -0x1.923952d7c42a6p-3,  0x1.41bb6917b15dbp-4,  -0x1.4198f92a31f29p-6,  0x1.c097bb98fdbc4p-9,
    -0x1.d1604f9ccaf30p-12, 0x1.76c164b8551b8p-15, -0x1.e35169de28d75p-19, 0x1.ff34fc771f995p-23,
    -0x1.c3f1d9451c511p-27, 0x1.532f6866c9544p-31, -0x1.b5d3615dacbddp-36, 0x1.eb637888e7b3ap-41,
    -0x1.e583582591c40p-46, 0x1.a7031bc8588e9p-51,
};

/// P of order 0, z = 1 / x^2, from 0 to 0.015625; relative error 4.3e-18.
inline constexpr double kBesselP0[] = {
    0x1.0000000000000p+0,  -0x1.1ffffffffe5fbp-4,  0x1.cb5fffe8ced26p-4,  -0x1.251ed77e459fdp-1,
    0x1.84b6e1ac85bdep+2,  -0x1.b75a457f865c8p+6,  0x1.74be8a2fde700p+11, -0x1.9f8175e09f1e0p+16,
    0x1.fe16d5457b051p+21, -0x1.1d9db2333be9ep+27, 0x1.ed51b593c205cp+31, -0x1.13ad48ecc8f38p+36,
    0x1.22b44c20d0316p+39,
};

/// x Q of order 0, z = 1 / x^2, from 0 to 0.015625; relative error 1.3e-17.
inline constexpr double kBesselQ0[] = {
    -0x1.0000000000000p-3,  0x1.2bffffffff27ep-4,  -0x1.d11dfff7faba2p-3,  0x1.ba4c51de0da16p+0,
    -0x1.8614b6da853a9p+4,  0x1.1384537196f42p+9,  -0x1.1b3f9c38ff0a0p+14, 0x1.832c520d332cep+19,
    -0x1.376fc56197233p+25, 0x1.fcd748439201ep+30, -0x1.709cd627539fep+36, 0x1.a8447c656119ap+41,
    -0x1.5e3dbd9d23c93p+46, 0x1.69e637704b723p+50, -0x1.5c372909e604fp+53,
};

/// P of order 1, z = 1 / x^2, from 0 to 0.015625; relative error 4.5e-18.
inline constexpr double kBesselP1[] = {
    0x1.0000000000000p+0,   0x1.dffffffffe47ep-4,  -0x1.274ffff3bd687p-3,  0x1.5a6a468cdbcffp-1,
    -0x1.b88b7980b86cfp+2,  0x1.e5a2972c2dbc8p+6,  -0x1.955f98cefc9bcp+11, 0x1.bf32407aeede0p+16,
    -0x1.10cee152b48afp+22, 0x1.3074e873ea25dp+27, -0x1.066be6e626b36p+32, 0x1.24f56427a91cbp+36,
    -0x1.34b5237c76148p+39,
};

/// x Q of order 1, z = 1 / x^2, from 0 to 0.015625; relative error 4.7e-18.
inline constexpr double kBesselQ1[] = {
    0x1.8000000000000p-2,  -0x1.a3ffffffff1cfp-4,  0x1.1c3cfffbc985fp-2,  -0x1.fe58107b95b99p+0,
    0x1.b3f929ffd8b99p+4,  -0x1.2dc37079e94f3p+9,  0x1.31f84ad89d327p+14, -0x1.9e42b106ecc89p+19,
    0x1.4b2b7eb44802bp+25, -0x1.0d897bd70aca6p+31, 0x1.85ab5738d4d11p+36, -0x1.bfed60d93d342p+41,
    0x1.717a40b175561p+46, -0x1.7d9393a6e4800p+50, 0x1.6f044f2b7f8d2p+53,
};

/// The first 1280 bits of 2 / pi behind the binary point, highest first.
inline constexpr unsigned long long kTwoOverPi[] = {
    0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561, 0xb7246e3a424dd2e0,
    0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4,
    0x9c845f8bbdf9283b, 0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab, 0xf0cfbc209af4361d,
};

} // namespace tawa::math
