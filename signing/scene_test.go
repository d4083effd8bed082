package signing

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// The cast of the guard's tests.
var (
	usdc     = addressOf("usdc")     // a mint of the Token program
	bonk     = addressOf("bonk")     // a mint of Token-2022 that no intent names
	pump     = addressOf("pump")     // a mint of Token-2022 that the intent spends
	exchange = addressOf("exchange") // the pinned program
	rogue    = addressOf("rogue")    // a program that nobody pinned
	friend   = addressOf("friend")   // a destination that the intent names
	thief    = addressOf("thief")
	vault    = addressOf("vault") // somebody's token account
	sponsor  = keyOf("sponsor").PublicKey()
	maker    = keyOf("maker").PublicKey()
	fresh    = keyOf("fresh").PublicKey() // the key of a new account

	ourUSDC    = AssociatedTokenAddress(owner, usdc, TokenProgram)
	ourPump    = AssociatedTokenAddress(owner, pump, Token2022Program)
	ourBonk    = AssociatedTokenAddress(owner, bonk, Token2022Program)
	ourWrapped = AssociatedTokenAddress(owner, NativeMint, TokenProgram)
	thiefUSDC  = AssociatedTokenAddress(thief, usdc, TokenProgram)
	listed     = addressOf("listed account")
	guarded    = addressOf("protected account")
	approved   = addressOf("named delegate")
	multisig   = addressOf("multisig")
)

// scene is a transaction, what was asked for, and who asked.
type scene struct {
	build        txbuild.Transaction
	signedBy     []string
	policy       Policy
	intent       walletfi.Intent
	options      []Option
	instructions []txbuild.Instruction
}

// ordinary is an intent that spends a little of everything.
func ordinary(instructions ...txbuild.Instruction) *scene {
	return &scene{
		build: txbuild.Transaction{Payer: owner, Blockhash: someBlockhash},
		policy: Policy{
			Pins:      map[string][]PublicKey{"swap": {exchange, StakeProgram, SystemProgram}},
			Accounts:  []OwnAccount{{Address: listed, Mint: usdc}},
			Keys:      []PublicKey{multisig},
			Protected: []PublicKey{guarded},

			AllowBlind: []string{"swap"},
		},
		intent: walletfi.Intent{
			Service: "swap", Owner: owner.String(),
			Spend: []walletfi.Asset{
				{Mint: walletfi.NativeMint, Amount: 1_000_000}, {Mint: usdc.String(), Amount: 500}, {Mint: pump.String(), Amount: 70},
			},
			Burn:        []walletfi.Asset{{Mint: usdc.String(), Amount: 40}},
			TipLamports: 10_000,
			ServiceFee:  []walletfi.Asset{{Mint: walletfi.NativeMint, Amount: 5_000}, {Mint: usdc.String(), Amount: 5}},
			OutputTo:    []string{friend.String()},
			Delegates:   []string{approved.String()},
			CoSigners:   []string{fresh.String()},

			MaxForeignRentLamports: DefaultMaxRentLamports,
		},
		instructions: instructions,
	}
}

// with changes a scene.
func (s *scene) with(change func(*scene)) *scene {
	change(s)
	return s
}

func (s *scene) bytes(format txbuild.Format) []byte {
	tx := s.build
	tx.Format = format
	tx.Instructions = s.instructions
	if len(s.signedBy) == 0 {
		return tx.Bytes()
	}
	b := tx.Bytes()
	for _, name := range s.signedBy {
		signed := tx.SignBy(privateOf(name))
		for i := range b {
			b[i] |= signed[i]
		}
	}
	return b
}

// sign runs the scene through the default way to sign.
func (s *scene) sign(t testing.TB, guard *Guard, format txbuild.Format) (tx *Transaction, report *Report, err error) {
	t.Helper()
	tx, err = Decode(base64Of(s.bytes(format)))
	if err != nil {
		return nil, nil, err
	}
	before := tx.Bytes()
	report, err = guard.signOne(t.Context(), tx, ownerKey, s.intent, s.options...)
	if err != nil {
		require.Equal(t, before, tx.Bytes(), "a refusal leaves every slot as it was")
		return tx, report, err
	}
	at := slices.Index(tx.Signers(), owner)
	require.True(t, tx.Signatures()[at].Verify(owner, tx.Message()))
	return tx, report, nil
}

// verdict is a row of a rule's table: refused by a rule, or allowed where rule
// is empty.
type verdict struct {
	name  string
	scene *scene
	rule  Rule
}

// allow and refuse make rows of the ordinary intent.
func allow(name string, instructions ...txbuild.Instruction) verdict {
	return verdict{name, ordinary(instructions...), ""}
}

func refuse(name string, rule Rule, instructions ...txbuild.Instruction) verdict {
	return verdict{name, ordinary(instructions...), rule}
}

func (v verdict) with(change func(*scene)) verdict {
	change(v.scene)
	return v
}

// runVerdicts tries each row in each format.
func runVerdicts(t *testing.T, verdicts []verdict, formats ...txbuild.Format) {
	t.Helper()
	if len(formats) == 0 {
		formats = txbuild.Formats
	}
	for _, v := range verdicts {
		for _, format := range formats {
			t.Run(v.name+"/"+format.String(), func(t *testing.T) {
				_, report, err := v.scene.sign(t, NewGuard(v.scene.policy), format)
				if v.rule == "" {
					require.NoError(t, err)
					assert.Nil(t, report.Refusal)
					return
				}
				refusal := wiretest.As[*GuardError](t, err)
				assert.Equal(t, v.rule, refusal.Rule, refusal.Error())
				assert.NotEmpty(t, refusal.Found)
				assert.NotEmpty(t, refusal.Allowed)
				if report != nil {
					assert.Equal(t, refusal, report.Refusal)
				}
			})
		}
	}
}

// report signs a scene that must pass and returns what the guard saw.
func (s *scene) report(t *testing.T, format txbuild.Format) *Report {
	t.Helper()
	_, report, err := s.sign(t, NewGuard(s.policy), format)
	require.NoError(t, err)
	return report
}

func times(n int, ins txbuild.Instruction) []txbuild.Instruction {
	return slices.Repeat([]txbuild.Instruction{ins}, n)
}
