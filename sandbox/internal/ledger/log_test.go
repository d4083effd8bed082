package ledger

import (
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// logs lands a transaction and returns its log.
func (f *fixture) logsOf(payer solana.PublicKey, instructions ...solana.Instruction) []string {
	f.t.Helper()
	f.slot++
	receipt, err := f.Submit(f.tx(payer, instructions))
	require.NoError(f.t, err)
	return receipt.Logs
}

// Each is the runtime's log of the same, with LiteSVM 1.5.
func TestLogsAreTheRuntimes(t *testing.T) {
	x := newTokens(t, NewMint{})
	y := newTokens(t, NewMint{Program: solana.Token2022ProgramID})
	const t22, spl = "Program TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb ", "Program TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA "
	const system = "Program 11111111111111111111111111111111 "
	for _, test := range []struct {
		class string
		f     *tokens
		in    solana.Instruction
		want  []string
	}{
		{"a builtin logs no units", x, transfer(x.a, x.b, 1), []string{system + "invoke [1]", system + "success"}},
		{"a builtin says why", x, transfer(x.minter, x.a, 200*sol), []string{
			system + "invoke [1]", "Transfer: insufficient lamports 9999985000, need 200000000000",
			system + "failed: custom program error: 0x1",
		}},
		{"token has no names", x, x.do([]byte{5}, w(x.ofA), s(x.a)), []string{
			spl + "invoke [1]", spl + "consumed 108 of 200000 compute units", spl + "success",
		}},
		{"token-2022 has", y, y.do([]byte{5}, w(y.ofA), s(y.a)), []string{
			t22 + "invoke [1]", "Program log: Instruction: Revoke", t22 + "consumed 860 of 200000 compute units",
			t22 + "success",
		}},
		{"an error of its own", y, y.do([]byte{5}, w(y.ofA), s(y.b)), []string{
			t22 + "invoke [1]", "Program log: Instruction: Revoke", "Program log: Error: owner does not match",
			t22 + "consumed 860 of 200000 compute units", t22 + "failed: custom program error: 0x4",
		}},
		{"data of no instruction", y, y.do([]byte{26, 5}, w(y.mint), s(y.a)), []string{
			t22 + "invoke [1]", "Program log: Error: Invalid instruction",
			t22 + "consumed 1345 of 200000 compute units", t22 + "failed: custom program error: 0xc",
		}},
		{"no data", x, x.do(nil, w(x.ofA)), []string{
			spl + "invoke [1]", spl + "consumed 40 of 200000 compute units", spl + "failed: custom program error: 0xc",
		}},
		{"what is returned", x, x.do([]byte{21}, r(x.mint)), []string{
			spl + "invoke [1]", spl + "consumed 183 of 200000 compute units",
			"Program return: TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA pQAAAAAAAAA=", spl + "success",
		}},
		{"a precompile logs nothing", x, in(ed25519Program, []byte{1, 0}), nil},
	} {
		t.Run(test.class, func(t *testing.T) {
			test.f.t = t
			assert.Equal(t, test.want, test.f.logsOf(test.f.minter, test.in))
		})
	}
}

func TestErrorsAreInTheNodesWords(t *testing.T) {
	cause := func(kind string) *TxError {
		return &TxError{Kind: "InstructionError", Instruction: 2, Cause: &InstructionError{Kind: kind}}
	}
	for want, err := range map[string]error{
		"Error processing Instruction 2: invalid account data for instruction": cause("InvalidAccountData"),
		"Error processing Instruction 2: Program failed to complete":           cause("ProgramFailedToComplete"),
		"Transaction contains a duplicate instruction (3) that is not allowed": &TxError{Kind: "DuplicateInstruction", Instruction: 3},
		"This account may not be used to pay transaction fees":                 ErrPayer,
		"NotYetNamed": &TxError{Kind: "NotYetNamed"},
	} {
		assert.EqualError(t, err, want)
	}
}
