package wallet_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// stairs is a ledger on which sets of calls of a pinned program land, and which shows what
// one of them does by itself alone. Every set has other bytes.
type stairs struct {
	*rig
	t       *testing.T
	key     *signing.LocalKey
	sponsor *signing.LocalKey  // pays and signs last; nil if the owner pays
	nonce   int                // the step that lives by a durable nonce, counted from 1; 0 if none does
	length  int                // of a set
	behind  int                // simulations that do not show the last execution yet
	fees    walletfi.FeePolicy // of the wallets that are made from now on
	takes   uint64             // lamports more than it should, simulated
	took    uint64             // lamports more than simulated, executed
	slack   walletfi.Amount    // more than the set shows may be spent
	limits  []wallet.SpendLimit

	built    [][]string                // messages, by set
	signed   []string                  // messages
	executed []string                  // messages, in order
	landed   map[string]bool           // signatures
	stored   []wallet.Entry            // all that a journal took
	sets     map[int]walletfi.Unsigned // that were built
}

const (
	ownerHas = 1_000_000_000
	stepFee  = 5000
)

var (
	stepProgram = solana.PublicKey{7}
	stepNonce   = signing.Nonce{Account: signing.PublicKey{8}, Value: signing.PublicKey{9}}
)

func newSteps(t *testing.T, length int) *stairs {
	t.Helper()
	st := &stairs{rig: newRig(t), t: t, length: length, landed: map[string]bool{}, sets: map[int]walletfi.Unsigned{}}
	var err error
	st.key, err = signing.NewLocalKeyFromSeed(make([]byte, 32))
	require.NoError(t, err)
	st.status = func(_ int, signature string) (walletfi.SignatureStatus, error) {
		if !st.landed[signature] {
			return walletfi.SignatureStatus{}, nil
		}
		return walletfi.SignatureStatus{Found: true, Commitment: walletfi.CommitmentConfirmed, Slot: 7}, nil
	}
	st.names = st.execute
	st.Nonce = func(string, uint64) string { return stepNonce.Value.String() }
	return st
}

// execute lands what was sent, once. The chain's lock is held.
func (st *stairs) execute(sent walletfi.Signed) string {
	tx, err := signing.Decode(sent.Transaction)
	require.NoError(st.t, err)
	signature := sent.Signature
	if st.sponsor != nil {
		s, err := st.sponsor.Sign(st.t.Context(), tx.Message())
		require.NoError(st.t, err)
		signature = s.String()
	}
	if !st.landed[signature] {
		st.landed[signature] = true
		st.executed = append(st.executed, string(tx.Message()))
	}
	return signature
}

// Sign signs a transaction after the execution of those before it alone.
func (st *stairs) Sign(ctx context.Context, message []byte) (signing.Signature, error) {
	st.mu.Lock()
	defer st.mu.Unlock()
	for _, set := range st.built {
		for _, before := range set[:max(0, slices.Index(set, string(message)))] {
			require.Contains(st.t, st.executed, before, "it is signed ahead of one before it")
		}
	}
	if !slices.Contains(st.signed, string(message)) {
		st.signed = append(st.signed, string(message))
	}
	return st.key.Sign(ctx, message)
}

func (st *stairs) PublicKey() signing.PublicKey { return st.key.PublicKey() }

// Build builds a set that pays a lamport to the shop at each step.
func (st *stairs) Build(context.Context) (walletfi.Unsigned, error) {
	u := st.pay(st.t, st.length)
	head, _ := st.Head(st.t.Context())
	u.LastValidBlockHeight, u.Intent.Asked = head.Height+lifetime, paymentOf(st.length)
	if st.limits != nil {
		u.Intent.MaxRentLamports = new(walletfi.Amount)
		u.Intent.Spend[0].Amount += st.slack
	}
	payer := st.owner
	if st.sponsor != nil {
		payer = solana.PublicKey(st.sponsor.PublicKey())
		u.Intent.Sponsor = payer.String()
	}
	var messages []string
	for i := range u.Transactions {
		calls := []solana.Instruction{
			system.NewTransferInstruction(1, st.owner, st.shop).Build(),
			solana.NewInstruction(stepProgram, solana.AccountMetaSlice{solana.Meta(st.owner).SIGNER().WRITE()}, []byte("step")),
		}
		blockhash := solana.Hash{byte(10*len(st.built) + i + 10)}
		if i+1 == st.nonce {
			blockhash = solana.Hash(stepNonce.Value)
			calls = slices.Insert(calls, 0, solana.Instruction(system.NewAdvanceNonceAccountInstruction(
				solana.PublicKey(stepNonce.Account), solana.SysVarRecentBlockHashesPubkey, st.owner).Build()))
			calls = append(calls, solana.NewInstruction(solana.MemoProgramID, nil, fmt.Appendf(nil, "set %d", len(st.built))))
		}
		built, err := solana.NewTransaction(calls, blockhash, solana.TransactionPayer(payer))
		require.NoError(st.t, err)
		built.Signatures = make([]solana.Signature, built.Message.Header.NumRequiredSignatures)
		text, err := built.ToBase64()
		require.NoError(st.t, err)
		u.Transactions[i] = walletfi.Base64Transaction(text)
		tx, err := signing.Decode(u.Transactions[i])
		require.NoError(st.t, err)
		messages = append(messages, string(tx.Message()))
	}
	st.mu.Lock()
	defer st.mu.Unlock()
	st.sets[len(st.built)] = u
	st.built = append(st.built, messages)
	return u, nil
}

// Asked states the payment, so that nothing is built to be compared.
func (st *stairs) Asked() map[string]string { return paymentOf(st.length) }

// paid is how much a step takes from the owner.
func (st *stairs) paid() uint64 {
	if st.sponsor != nil {
		return 1
	}
	return 1 + stepFee
}

// Simulate shows what a step does by itself.
func (st *stairs) Simulate(_ context.Context, r signing.SimulationRequest) (*signing.Simulation, error) {
	out := &signing.Simulation{Slot: st.tip().Slot}
	if len(st.executed) > 0 && st.behind > 0 {
		st.behind--
		out.Slot = 6
	}
	for _, account := range r.Accounts {
		before, after := signing.AccountState{Lamports: ownerHas}, signing.AccountState{Lamports: ownerHas}
		switch solana.PublicKey(account) {
		case st.owner:
			after.Lamports -= walletfi.Amount(st.paid() + st.takes)
		case st.shop:
			after.Lamports++
		}
		out.Before, out.After = append(out.Before, before), append(out.After, after)
	}
	return out, nil
}

// Effects are those of a step.
func (st *stairs) Effects(_ context.Context, signature string) (*walletfi.Effects, error) {
	st.mu.Lock()
	defer st.mu.Unlock()
	if !st.landed[signature] {
		return nil, walletfi.ErrNotFound
	}
	left := walletfi.Amount(ownerHas - st.paid() - st.took)
	return &walletfi.Effects{
		Signature: signature, Slot: 7, FeePayer: st.owner.String(), Fee: stepFee,
		Lamports: []walletfi.LamportChange{
			{Account: st.owner.String(), Change: walletfi.Change{Before: ownerHas, After: left}},
			{Account: st.shop.String(), Change: walletfi.Change{Before: 1, After: 2}},
		},
	}, nil
}

// FindMessage tells the signature of a sponsor's transaction.
func (st *stairs) FindMessage(ctx context.Context, search walletfi.MessageSearch) (walletfi.FoundMessage, error) {
	s, err := st.sponsor.Sign(ctx, search.Message)
	st.mu.Lock()
	defer st.mu.Unlock()
	if err != nil || !st.landed[s.String()] {
		return walletfi.FoundMessage{}, err
	}
	return walletfi.FoundMessage{Signature: s.String()}, nil
}
