package signing

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// TestDecimalsOfAnotherTransaction: a transaction that names wrong decimals
// fails, but the others of its set do not.
func TestDecimalsOfAnotherTransaction(t *testing.T) {
	pays := spl.Transfer(ourUSDC, vault, owner, 500)
	named := func(decimals uint8) txbuild.Instruction {
		return spl.TransferChecked(ourUSDC, usdc, ourUSDC, owner, 1, decimals)
	}
	for name, c := range map[string]struct {
		set  [][]txbuild.Instruction
		says string
	}{
		"named by another":        {[][]txbuild.Instruction{{pays}, {named(18)}}, "  500 smallest units of token "},
		"named otherwise":         {[][]txbuild.Instruction{{pays, named(6)}, {named(18)}}, "  500 smallest units of token "},
		"named by each":           {[][]txbuild.Instruction{{pays, named(6)}, {named(6)}}, "  0.0005* of token "},
		"named where it is moved": {[][]txbuild.Instruction{{pays, named(6)}, {txbuild.Memo("x")}}, "  0.0005* of token "},
		"named once":              {[][]txbuild.Instruction{{pays, named(6)}}, "  0.0005* of token "},
	} {
		var scenes []*scene
		for _, instructions := range c.set {
			scenes = append(scenes, ordinary(instructions...))
		}
		_, report, err := NewGuard(scenes[0].policy).CheckSet(t.Context(), set(txbuild.Legacy, scenes...))
		require.NoError(t, err, name)
		assert.Contains(t, report.Text(), c.says, name)
	}
}
