package sandbox

import (
	"crypto/ed25519"
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// built makes a transaction under the lock.
func (s *started) built(t *testing.T, u unsigned, effects ...effect) built {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range effects {
		u.instructions = append(u.instructions, s.instruct(Swap, e))
	}
	tx, err := s.build(Swap, u)
	require.NoError(t, err)
	return tx
}

func TestEffectsMoveForOwnerVaultAndCosigner(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	owner, maker := publicKey(s.Wallet()), s.keypair("maker")
	usdc, taxed := s.token("USDC"), s.token("TAXED")
	require.NoError(t, s.FundToken(publicKey(maker).String(), taxed.Mint, 1000))
	s.mu.Lock()
	s.stock(Swap, usdc.key, 500)
	vault := s.vault(Swap)
	s.mu.Unlock()
	executed := 0
	tx := s.built(t, unsigned{
		owner: owner, legacy: true, cosigners: []ed25519.PrivateKey{maker},
		instructions: []solana.Instruction{createAccount(owner, owner, taxed)},
	}, effect{
		owner: owner,
		moves: []move{
			{owner, vault, Token{}, 7_000_000},
			{vault, owner, usdc, 500},
			{publicKey(maker), owner, taxed, 1000},
		},
		done: func(r *ledger.Receipt) { executed++ },
	})
	before := s.Ledger().Balance(vault.String())
	r := s.signAndSubmit(t, tx.base58())
	require.Nil(t, r.Err, "%v", r.Logs)
	assert.Equal(t, 1, executed)
	assert.EqualValues(t, 10_000, r.Fee, "two signatures")
	assert.Equal(t, ledger.Legacy, r.Tx.Version)
	assert.Equal(t, before+7_000_000, s.Ledger().Balance(vault.String()))
	assert.EqualValues(t, 10_000_000_500, s.Ledger().TokenBalance(owner.String(), usdc.Mint))
	assert.EqualValues(t, 990, s.Ledger().TokenBalance(owner.String(), taxed.Mint), "the mint withholds 1 %")
}

func TestEffectHappensOnce(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	owner := publicKey(s.Wallet())
	executed := 0
	s.mu.Lock()
	in := s.instruct(Swap, effect{owner: owner, done: func(*ledger.Receipt) { executed++ }})
	s.mu.Unlock()
	first := s.built(t, unsigned{owner: owner, instructions: []solana.Instruction{in}})
	second := s.built(t, unsigned{owner: owner, unitLimit: 100_000, instructions: []solana.Instruction{in}})
	require.Nil(t, s.signAndSubmit(t, first.base64()).Err)
	r := s.signAndSubmit(t, second.base64())
	assert.Equal(t, ledger.Custom(6000), r.Err.Cause)
	assert.Equal(t, 1, executed)
}

func TestEffectIsHeldBackByItsCheckAndByFailure(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	owner := publicKey(s.Wallet())
	executed := 0
	done := func(*ledger.Receipt) { executed++ }
	refusing := s.built(t, unsigned{owner: owner}, effect{owner: owner, done: done, check: func() *ledger.InstructionError { return ledger.Custom(42) }})
	assert.Equal(t, ledger.Custom(42), s.signAndSubmit(t, refusing.base64()).Err.Cause)
	failing := s.built(t, unsigned{owner: owner}, effect{owner: owner, done: done},
		effect{owner: owner, moves: []move{{owner, s.vault(Swap), Token{}, 1 << 60}}})
	assert.NotNil(t, s.signAndSubmit(t, failing.base64()).Err)
	assert.Zero(t, executed, "a later instruction failed")
}

func TestSponsorPays(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	sponsor, owner := s.keypair("sponsor"), publicKey(s.Wallet())
	require.NoError(t, s.FundWallet(publicKey(sponsor).String(), lamportsPerSOL))
	before := s.Ledger().Balance(owner.String())
	tx := s.built(t, unsigned{owner: owner, payer: publicKey(sponsor), cosigners: []ed25519.PrivateKey{sponsor}}, effect{owner: owner})
	require.Nil(t, s.signAndSubmit(t, tx.base64()).Err)
	assert.Equal(t, before, s.Ledger().Balance(owner.String()))
	assert.EqualValues(t, lamportsPerSOL-10_000, s.Ledger().Balance(publicKey(sponsor).String()))
}

func TestProgramRefusesWhatIsNotItsOwn(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	owner := publicKey(s.Wallet())
	program := solana.MustPublicKeyFromBase58(s.ProgramID(Swap))
	meta := solana.AccountMetaSlice{solana.Meta(owner).WRITE().SIGNER()}
	for _, data := range [][]byte{nil, make([]byte, 16), append(effectTag[:], make([]byte, 8)...)} {
		tx := s.built(t, unsigned{owner: owner, instructions: []solana.Instruction{solana.NewInstruction(program, meta, data)}})
		assert.NotNil(t, s.signAndSubmit(t, tx.base64()).Err)
		s.Advance(s.config.SlotTime)
	}
	s.mu.Lock()
	other := publicKey(s.keypair("other"))
	in := s.instruct(Swap, effect{owner: other})
	s.mu.Unlock()
	in.Accounts()[0].IsSigner = false
	r := s.signAndSubmit(t, s.built(t, unsigned{owner: owner, instructions: []solana.Instruction{in}}).base64())
	assert.Equal(t, ledger.ErrSigner, r.Err.Cause, "its owner must sign")
}
