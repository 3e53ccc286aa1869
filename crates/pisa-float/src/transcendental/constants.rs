//! Constants of the elementary functions. Each is a mathematical constant cut or rounded to the stated width; the tests of this crate
//! recompute all of them with an arbitrary-precision library.

/// ln 2, cut to 127 fraction bits.
pub(crate) const LN_2: u128 = 0x58b9_0bfb_e8e7_bcd5_e4f1_d9cc_01f9_7b57;
/// 1 / ln 2, cut to 127 fraction bits.
pub(crate) const LOG2_E: u128 = 0xb8aa_3b29_5c17_f0bb_be87_fed0_691d_3e88;
/// pi / 2, cut to 127 fraction bits.
pub(crate) const HALF_PI: u128 = 0xc90f_daa2_2168_c234_c4c6_628b_80dc_1cd1;

/// 2 / pi: a word of zeros before the binary point, then the first 384 fraction bits.
pub(crate) const TWO_OVER_PI: [u64; 7] = [
    0,
    0xa2f9_836e_4e44_1529,
    0xfc27_57d1_f534_ddc0,
    0xdb62_9599_3c43_9041,
    0xfe51_63ab_debb_c561,
    0xb724_6e3a_424d_d2e0,
    0x0649_2eea_09d1_921c,
];

/// `2^(i/32)` as doubles, rounded to nearest.
pub(crate) const EXP2_TABLE: [u64; 32] = [
    0x3ff0_0000_0000_0000,
    0x3ff0_59b0_d315_8574,
    0x3ff0_b558_6cf9_890f,
    0x3ff1_1301_d012_5b51,
    0x3ff1_72b8_3c7d_517b,
    0x3ff1_d487_3168_b9aa,
    0x3ff2_387a_6e75_6238,
    0x3ff2_9e9d_f51f_dee1,
    0x3ff3_06fe_0a31_b715,
    0x3ff3_71a7_373a_a9cb,
    0x3ff3_dea6_4c12_3422,
    0x3ff4_4e08_6061_892d,
    0x3ff4_bfda_d536_2a27,
    0x3ff5_342b_569d_4f82,
    0x3ff5_ab07_dd48_5429,
    0x3ff6_247e_b03a_5585,
    0x3ff6_a09e_667f_3bcd,
    0x3ff7_1f75_e8ec_5f74,
    0x3ff7_a114_73eb_0187,
    0x3ff8_2589_994c_ce13,
    0x3ff8_ace5_422a_a0db,
    0x3ff9_3737_b0cd_c5e5,
    0x3ff9_c491_82a3_f090,
    0x3ffa_5503_b23e_255d,
    0x3ffa_e89f_995a_d3ad,
    0x3ffb_7f76_f2fb_5e47,
    0x3ffc_199b_dd85_529c,
    0x3ffc_b720_dcef_9069,
    0x3ffd_5818_dcfb_a487,
    0x3ffd_fc97_337b_9b5f,
    0x3ffe_a4af_a2a4_90da,
    0x3fff_5076_5b6e_4540,
];

/// For significands in `[1 + i/32, 1 + (i+1)/32)`: a factor `c` of few bits near the reciprocal, and `-log2 c`, less one from the
/// fourteenth row on, where the exponent is counted one higher, as doubles.
pub(crate) const LOG2_TABLE: [(u64, u64); 32] = [
    (0x3ff0_0000_0000_0000, 0x0000_0000_0000_0000),
    (0x3fee_9200_0000_0000, 0x3fb0_e17b_c661_2984),
    (0x3fed_ae00_0000_0000, 0x3fbb_ccf2_9acc_cf24),
    (0x3fec_d800_0000_0000, 0x3fc3_2d13_e469_2eb7),
    (0x3fec_0e00_0000_0000, 0x3fc8_4c59_fac3_935d),
    (0x3feb_4e00_0000_0000, 0x3fcd_4d5b_7cee_b816),
    (0x3fea_9800_0000_0000, 0x3fd1_1646_e779_1469),
    (0x3fe9_ec00_0000_0000, 0x3fd3_7320_a83c_1b0a),
    (0x3fe9_4800_0000_0000, 0x3fd5_c2a0_96a1_35dc),
    (0x3fe8_ac00_0000_0000, 0x3fd8_0359_eb99_0407),
    (0x3fe8_1800_0000_0000, 0x3fda_33d2_5fcb_1fac),
    (0x3fe7_8a00_0000_0000, 0x3fdc_5a5b_c3b1_2431),
    (0x3fe7_0200_0000_0000, 0x3fde_75ee_f0ec_db8b),
    (0x3fe6_8200_0000_0000, 0xbfdf_82ba_1f21_2a87),
    (0x3fe6_0600_0000_0000, 0xbfdd_807e_ee30_042b),
    (0x3fe5_8e00_0000_0000, 0xbfdb_83f8_08ac_29b7),
    (0x3fe5_1e00_0000_0000, 0xbfd9_9f43_f9cd_490f),
    (0x3fe4_b000_0000_0000, 0xbfd7_b957_ac51_aac4),
    (0x3fe4_4600_0000_0000, 0xbfd5_db71_c433_a15e),
    (0x3fe3_e200_0000_0000, 0xbfd4_0f90_5757_a549),
    (0x3fe3_8200_0000_0000, 0xbfd2_4d7f_8091_2b9e),
    (0x3fe3_2400_0000_0000, 0xbfd0_8c58_8cda_79e4),
    (0x3fe2_ca00_0000_0000, 0xbfcd_ac50_fe6d_46d9),
    (0x3fe2_7400_0000_0000, 0xbfca_576e_e5f2_fd87),
    (0x3fe2_2000_0000_0000, 0xbfc7_0742_d4ef_027f),
    (0x3fe1_d000_0000_0000, 0xbfc3_d114_6d9a_8a64),
    (0x3fe1_8200_0000_0000, 0xbfc0_a172_1d25_fa74),
    (0x3fe1_3600_0000_0000, 0xbfba_f1e9_6598_7e96),
    (0x3fe0_ec00_0000_0000, 0xbfb4_b075_1e05_76b0),
    (0x3fe0_a600_0000_0000, 0xbfad_5860_2b4d_4917),
    (0x3fe0_6200_0000_0000, 0xbfa1_7704_21d3_f05f),
    (0x3fe0_0000_0000_0000, 0x0000_0000_0000_0000),
];

/// `(ln 2)^n / n!` for n = 1 to 7.
pub(crate) const EXP2_SERIES: [u64; 7] = [
    0x3fe6_2e42_fefa_39ef,
    0x3fce_bfbd_ff82_c58f,
    0x3fac_6b08_d704_a0c0,
    0x3f83_b2ab_6fba_4e77,
    0x3f55_d87f_e78a_6731,
    0x3f24_3091_2f86_c787,
    0x3eef_fcbf_c588_b0c7,
];

/// `(-1)^(n+1) / (n ln 2)` for n = 1 to 12.
pub(crate) const LOG2_SERIES: [u64; 12] = [
    0x3ff7_1547_652b_82fe,
    0xbfe7_1547_652b_82fe,
    0x3fde_c709_dc3a_03fd,
    0xbfd7_1547_652b_82fe,
    0x3fd2_776c_50ef_9bfe,
    0xbfce_c709_dc3a_03fd,
    0x3fca_6176_2a7a_ded9,
    0xbfc7_1547_652b_82fe,
    0x3fc4_84b1_3d7c_02a9,
    0xbfc2_776c_50ef_9bfe,
    0x3fc0_c9a8_4994_022d,
    0xbfbe_c709_dc3a_03fd,
];

/// `(-1)^n / (2n+1)!` for n = 1 to 8.
pub(crate) const SIN_SERIES: [u64; 8] = [
    0xbfc5_5555_5555_5555,
    0x3f81_1111_1111_1111,
    0xbf2a_01a0_1a01_a01a,
    0x3ec7_1de3_a556_c734,
    0xbe5a_e645_67f5_44e4,
    0x3de6_1246_13a8_6d09,
    0xbd6a_e7f3_e733_b81f,
    0x3ce9_52c7_7030_ad4a,
];

/// `(-1)^n / (2n)!` for n = 1 to 9.
pub(crate) const COS_SERIES: [u64; 9] = [
    0xbfe0_0000_0000_0000,
    0x3fa5_5555_5555_5555,
    0xbf56_c16c_16c1_6c17,
    0x3efa_01a0_1a01_a01a,
    0xbe92_7e4f_b778_9f5c,
    0x3e21_eed8_eff8_d898,
    0xbda9_3974_a8c0_7c9d,
    0x3d2a_e7f3_e733_b81f,
    0xbca6_8278_63b9_7d97,
];

/// `1 / n!` for n = 2 to 18.
pub(crate) const EXPM1_SERIES: [u64; 17] = [
    0x3fe0_0000_0000_0000,
    0x3fc5_5555_5555_5555,
    0x3fa5_5555_5555_5555,
    0x3f81_1111_1111_1111,
    0x3f56_c16c_16c1_6c17,
    0x3f2a_01a0_1a01_a01a,
    0x3efa_01a0_1a01_a01a,
    0x3ec7_1de3_a556_c734,
    0x3e92_7e4f_b778_9f5c,
    0x3e5a_e645_67f5_44e4,
    0x3e21_eed8_eff8_d898,
    0x3de6_1246_13a8_6d09,
    0x3da9_3974_a8c0_7c9d,
    0x3d6a_e7f3_e733_b81f,
    0x3d2a_e7f3_e733_b81f,
    0x3ce9_52c7_7030_ad4a,
    0x3ca6_8278_63b9_7d97,
];

/// log2 e as a double.
pub(crate) const LOG2_E_DOUBLE: u64 = 0x3ff7_1547_652b_82fe;
/// pi / 2 as a double.
pub(crate) const HALF_PI_DOUBLE: u64 = 0x3ff9_21fb_5444_2d18;
