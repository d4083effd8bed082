package build_test

import (
	"crypto/ed25519"
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
	"github.com/walletfi/walletfi-go/sandbox/internal/worldtest"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// started is a sandbox under test.
type started struct{ *worldtest.World }

func start(t *testing.T, c play.Config) *started { return &started{worldtest.Start(t, c)} }

// built makes a transaction under the lock.
func (s *started) built(t *testing.T, u build.Unsigned, effects ...build.Effect) build.Built {
	t.Helper()
	s.Lock()
	defer s.Unlock()
	for _, e := range effects {
		u.Instructions = append(u.Instructions, s.Instruct(play.Swap, e))
	}
	return s.Build(play.Swap, u)
}

// counting counts how often an effect was carried out, unless it refuses.
type counting struct {
	done    *int
	refusal *ledger.InstructionError
}

func (c counting) Check() { ledger.FailIf(c.refusal != nil, c.refusal) }

func (c counting) Done(*ledger.Receipt) { *c.done++ }

func TestEffectsMoveForOwnerVaultAndCosigner(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	owner, maker := build.PublicKey(s.Wallet()), s.Keypair("maker")
	usdc, taxed := s.Token("USDC"), s.Token("TAXED")
	require.NoError(t, s.FundToken(build.PublicKey(maker).String(), taxed.Mint, 1000))
	s.Lock()
	s.Stock(play.Swap, usdc.Key, 500)
	vault := s.Vault(play.Swap)
	s.Unlock()
	executed := 0
	tx := s.built(t, build.Unsigned{
		Owner: owner, Legacy: true, Cosigners: []ed25519.PrivateKey{maker},
		Instructions: []solana.Instruction{build.CreateAccount(owner, owner, taxed)},
	}, build.Effect{
		Owner: owner,
		Moves: []build.Move{
			{From: owner, To: vault, Token: build.Token{}, Amount: 7_000_000},
			{From: vault, To: owner, Token: usdc, Amount: 500},
			{From: build.PublicKey(maker), To: owner, Token: taxed, Amount: 1000},
		},
		Work: counting{&executed, nil},
	})
	before := s.View().Balance(vault.String())
	r := s.SignAndSubmit(t, tx.Base58())
	require.Nil(t, r.Err, "%v", r.Logs)
	assert.Equal(t, 1, executed)
	assert.EqualValues(t, 10_000, r.Fee, "two signatures")
	assert.Equal(t, ledger.Legacy, r.Tx.Version)
	assert.Equal(t, before+7_000_000, s.View().Balance(vault.String()))
	assert.EqualValues(t, int64(10_000_000_500), s.View().TokenBalance(owner.String(), usdc.Mint))
	assert.EqualValues(t, 990, s.View().TokenBalance(owner.String(), taxed.Mint), "the mint withholds 1 %")
}

func TestEffectHappensOnce(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	owner := build.PublicKey(s.Wallet())
	executed := 0
	s.Lock()
	in := s.Instruct(play.Swap, build.Effect{Owner: owner, Work: counting{&executed, nil}})
	s.Unlock()
	first := s.built(t, build.Unsigned{Owner: owner, Instructions: []solana.Instruction{in}})
	second := s.built(t, build.Unsigned{Owner: owner, UnitLimit: 100_000, Instructions: []solana.Instruction{in}})
	require.Nil(t, s.SignAndSubmit(t, first.Base64()).Err)
	r := s.SignAndSubmit(t, second.Base64())
	assert.Equal(t, ledger.Custom(6000), r.Err.Cause)
	assert.Equal(t, 1, executed)
}

func TestEffectIsHeldBackByItsCheckAndByFailure(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	owner := build.PublicKey(s.Wallet())
	executed := 0
	refusing := s.built(t, build.Unsigned{Owner: owner}, build.Effect{Owner: owner, Work: counting{&executed, ledger.Custom(42)}})
	assert.Equal(t, ledger.Custom(42), s.SignAndSubmit(t, refusing.Base64()).Err.Cause)
	failing := s.built(t, build.Unsigned{Owner: owner}, build.Effect{Owner: owner, Work: counting{&executed, nil}},
		build.Effect{Owner: owner, Moves: []build.Move{{From: owner, To: s.Vault(play.Swap), Token: build.Token{}, Amount: 1 << 60}}})
	assert.NotNil(t, s.SignAndSubmit(t, failing.Base64()).Err)
	assert.Zero(t, executed, "a later instruction failed")
}

func TestSponsorPays(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	sponsor, owner := s.Keypair("sponsor"), build.PublicKey(s.Wallet())
	require.NoError(t, s.FundWallet(build.PublicKey(sponsor).String(), build.LamportsPerSOL))
	before := s.View().Balance(owner.String())
	tx := s.built(t, build.Unsigned{Owner: owner, Payer: build.PublicKey(sponsor), Cosigners: []ed25519.PrivateKey{sponsor}}, build.Effect{Owner: owner})
	require.Nil(t, s.SignAndSubmit(t, tx.Base64()).Err)
	assert.Equal(t, before, s.View().Balance(owner.String()))
	assert.EqualValues(t, build.LamportsPerSOL-10_000, s.View().Balance(build.PublicKey(sponsor).String()))
}

func TestProgramRefusesWhatIsNotItsOwn(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	owner := build.PublicKey(s.Wallet())
	program := solana.MustPublicKeyFromBase58(s.ProgramID(play.Swap))
	meta := solana.AccountMetaSlice{solana.Meta(owner).WRITE().SIGNER()}
	for _, data := range [][]byte{nil, make([]byte, 16), append(build.EffectTag[:], make([]byte, 8)...)} {
		tx := s.built(t, build.Unsigned{Owner: owner, Instructions: []solana.Instruction{solana.NewInstruction(program, meta, data)}})
		assert.NotNil(t, s.SignAndSubmit(t, tx.Base64()).Err)
		s.Advance(s.Config.SlotTime)
	}
	s.Lock()
	other := build.PublicKey(s.Keypair("other"))
	in := s.Instruct(play.Swap, build.Effect{Owner: other})
	s.Unlock()
	in.Accounts()[0].IsSigner = false
	r := s.SignAndSubmit(t, s.built(t, build.Unsigned{Owner: owner, Instructions: []solana.Instruction{in}}).Base64())
	assert.Equal(t, ledger.ErrSigner, r.Err.Cause, "its owner must sign")
}
