// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// For Yosys' techmap, in prove.sh: each cover becomes an assertion that it is never reached.
module \$cover (
    input A,
    input EN
);
  \$assert _TECHMAP_REPLACE_ (
      .A(!A),
      .EN(EN)
  );
endmodule
