package signing

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/race"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// A digest is of the messages, each with its length before it.
func TestDigestIsFixed(t *testing.T) {
	s := ordinary(txbuild.Memo("x"))
	_, report, err := NewGuard(s.policy).CheckSet(t.Context(), set(txbuild.V0, s, ordinary(txbuild.Memo("yz"))))
	require.NoError(t, err)
	h := sha256.New()
	h.Write([]byte("walletfi messages 1\n"))
	for _, tx := range report.txs {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(tx.Message()))))
		h.Write(tx.Message())
	}
	h.Write([]byte{0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 2})
	require.Equal(t, hex.EncodeToString(h.Sum(nil)), report.MessagesDigest())
	require.NotEqual(t, report.MessagesDigest(), report.Digest())
	require.Empty(t, new(Report).Digest()+new(Report).MessagesDigest(), "of no messages")
	require.Equal(t, "as read", (&Report{digest: "as read", txs: report.txs}).Digest())
	require.Equal(t, "as read", (&Report{messages: "as read", txs: report.txs}).MessagesDigest())
}

// Whatever refuses to sign, the report says what was found until then.
func TestRefusedToSignWithAReport(t *testing.T) {
	s := ordinary(txbuild.Transfer(owner, friend, 1))
	guard, u := NewGuard(s.policy), set(txbuild.V0, s)
	_, report, err := guard.CheckSet(t.Context(), u)
	require.NoError(t, err)
	digest := report.Digest()
	_, report, err = guard.SignApproved(t.Context(), u, digest, ownerKey)
	require.NoError(t, err)
	require.NotNil(t, report)
	refused := func(txs []*Transaction, report *Report, err error) *GuardError {
		t.Helper()
		require.Nil(t, txs)
		refusal := wiretest.As[*GuardError](t, err)
		require.NotNil(t, report)
		require.Equal(t, refusal, report.Refusal)
		require.Equal(t, EnvelopeInstruction, refusal.Instruction)
		return refusal
	}
	require.Equal(t, RuleApproval, refused(guard.SignApproved(t.Context(), u, "another", ownerKey)).Rule)
	require.Equal(t, RuleSigners, refused(guard.SignApproved(t.Context(), u, digest, keyOf("other"))).Rule)
	require.Equal(t, RuleSigners, refused(guard.SignSet(t.Context(), u, keyOf("other"))).Rule)
	spoiled := u
	spoiled.Blockhash = stranger.String()
	require.Equal(t, RuleLifetime, refused(guard.SignApproved(t.Context(), spoiled, digest, ownerKey)).Rule)

	tx, err := DecodeBytes(s.bytes(txbuild.V0))
	require.NoError(t, err)
	refusal := wiretest.As[*GuardError](t, SignUnchecked(t.Context(), tx, keyOf("other")))
	require.Equal(t, EnvelopeInstruction, refusal.Instruction)
	tx.wire.Slot(0)[0] = 1
	require.ErrorAs(t, SignUnchecked(t.Context(), tx, ownerKey), &refusal)
	require.Equal(t, EnvelopeInstruction, refusal.Instruction)
	require.Equal(t, RuleSigners, refusal.Rule)
}

// To check again takes what the report takes, and no room for the judge.
func TestCheckTakesNoRoom(t *testing.T) {
	s := ordinary(txbuild.Transfer(owner, friend, 1), txbuild.Transfer(owner, stranger, 10_000))
	tx, err := DecodeBytes(s.bytes(txbuild.V0))
	require.NoError(t, err)
	guard, ctx := NewGuard(s.policy), t.Context()
	took := testing.AllocsPerRun(200, func() {
		if _, err := guard.Check(ctx, tx, s.intent); err != nil {
			t.Error(err)
		}
	})
	require.LessOrEqual(t, took, 6.0*race.Factor)
}

func TestPolicyCapsHold(t *testing.T) {
	fee := func(most walletfi.Amount) func(*scene) {
		return func(s *scene) { s.policy.MaxNetworkFeeLamports = &most }
	}
	rent := func(most walletfi.Amount) func(*scene) {
		return func(s *scene) { s.policy.MaxRentLamports = &most }
	}
	made := txbuild.CreateATA(owner, ourUSDC, owner, usdc, TokenProgram, true)
	runVerdicts(t, []verdict{
		allow("the fee", txbuild.Memo("x")).with(fee(5000)),
		refuse("a lamport less", RuleNetworkFee, txbuild.Memo("x")).with(fee(4999)),
		allow("the rent", made).with(rent(accountRent)),
		refuse("a lamport less of rent", RuleRent, made).with(rent(accountRent - 1)),
	})
	s := ordinary(txbuild.Memo("x"))
	u := set(txbuild.V0, s, s.with(func(s *scene) { s.instructions = []txbuild.Instruction{txbuild.Memo("y")} }))
	s.policy.MaxNetworkFeeLamports = new(walletfi.Amount(10_000))
	_, _, err := NewGuard(s.policy).CheckSet(t.Context(), u)
	require.NoError(t, err)
	s.policy.MaxNetworkFeeLamports = new(walletfi.Amount(9_999))
	_, report, err := NewGuard(s.policy).CheckSet(t.Context(), u)
	require.ErrorIs(t, err, ErrRefused)
	require.Equal(t, RuleSet, report.Refusal.Rule)
	require.Equal(t, 1, report.Refusal.Transaction)
}

func TestSetOfTooMany(t *testing.T) {
	check := func(n, most int) (*Report, error) {
		scenes := make([]*scene, n)
		for i := range scenes {
			scenes[i] = ordinary(txbuild.Memo("x"))
			scenes[i].intent.MaxTransactions = most
		}
		_, report, err := NewGuard(scenes[0].policy).CheckSet(t.Context(), set(txbuild.V0, scenes...))
		return report, err
	}
	for n, most := range map[int]int{16: 0, 1: 1, 17: 17} {
		require.NoError(t, wiretest.Error(check(n, most)), "%d of %d", n, most)
	}
	report, err := check(17, 0)
	require.ErrorIs(t, err, ErrRefused)
	assert.Equal(t, &GuardError{Rule: RuleSet, Transaction: 16, Instruction: EnvelopeInstruction,
		Found: "17 transactions", Allowed: "a set of at most 16 transactions"}, report.Refusal)
}

func TestUnseenEnds(t *testing.T) {
	assert.Equal(t, []string{"until when this can be executed: block height 1" + serviceSays}, (&Report{LastValidBlockHeight: 1}).Unseen())
	assert.Empty(t, (&Report{Notes: []Note{{Kind: NoteNonce}}}).Unseen())
	assert.NotEmpty(t, (&Report{Notes: []Note{{Kind: NoteMemo}}}).Unseen())
}

func TestReportOfAnotherVersion(t *testing.T) {
	var r Report
	require.EqualError(t, json.Unmarshal([]byte(`{"version":2}`), &r), "signing: a report of version 2, not 1")
	require.Error(t, r.UnmarshalJSON([]byte(`{"version":1,"owner":"x"}`)))
	require.Error(t, r.UnmarshalJSON([]byte(`{`)))
	require.Zero(t, r)
}

// Without a simulation of each sample nothing is learned.
func TestLearnNeedsSimulations(t *testing.T) {
	sample := set(txbuild.V0, swapping(func(*stage) {}))
	policy := swapping(func(*stage) {}).policy
	policy.Simulator = answering(func(SimulationRequest) (*Simulation, error) { return nil, ErrUnknown })
	_, err := NewGuard(policy).Learn(t.Context(), "swap", []walletfi.Unsigned{sample})
	require.EqualError(t, err, "sample 0: not every transaction could be simulated")
	policy.Simulator = answering(func(SimulationRequest) (*Simulation, error) { return nil, errors.New("node is down") })
	_, err = NewGuard(policy).Learn(t.Context(), "swap", []walletfi.Unsigned{{}, sample})
	require.ErrorContains(t, err, "sample 1: ")
	require.ErrorContains(t, err, "node is down")
	policy.Simulator = swapping(func(*stage) {}).policy.Simulator
	_, err = NewGuard(policy).Learn(t.Context(), "swap", []walletfi.Unsigned{sample, {Transactions: []walletfi.EncodedTransaction{walletfi.Base64Transaction("AAAA")}}})
	require.ErrorIs(t, err, ErrRefused)
	require.ErrorContains(t, err, "sample 1: ")
	_, err = NewGuard(policy).Learn(t.Context(), "swap", []walletfi.Unsigned{sample})
	require.EqualError(t, err, "invalid request: samples: 1 different ones, at least 3 are needed")
}

// A simulator without a resolver leaves what tables load unknown: nobody looked at
// those accounts.
func TestSimulatorWithoutResolver(t *testing.T) {
	s := ordinary(txbuild.Call(exchange, nil, txbuild.Readonly(vault))).with(behindTables).with(unprotected)
	s.policy.Simulator = answering(func(r SimulationRequest) (*Simulation, error) {
		return unchangedBy(r), nil
	})
	report := s.report(t, txbuild.V0)
	assert.True(t, report.Unresolved)
	assert.False(t, report.Simulated)
	assert.Contains(t, report.Text(), "was not simulated: \"what its lookup tables load is unknown\"")
}

// A signer that fails gives no signature away.
func TestFailedSignatureIsNone(t *testing.T) {
	s := ordinary(txbuild.Memo("x"))
	tx, err := DecodeBytes(s.bytes(txbuild.V0))
	require.NoError(t, err)
	for _, signer := range []remote{
		{owner, func([]byte) (Signature, error) { return Signature{1}, errors.New("unplugged") }},
		{owner, func([]byte) (Signature, error) { return Signature{1}, nil }},
	} {
		signature, err := signMessage(t.Context(), tx, signer, owner)
		require.Error(t, err)
		require.Zero(t, signature)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	signature, err := ownerKey.Sign(ended, nil)
	require.ErrorIs(t, err, context.Canceled)
	require.Zero(t, signature)
}

// Sizes at which a transaction gets more room.
func TestSizesOfRoom(t *testing.T) {
	sizes := map[int]bool{}
	for memo := range 300 {
		b := ordinary(txbuild.Instruction{Program: txbuild.MemoV2, Data: make([]byte, memo)}).bytes(txbuild.V0)
		tx, err := DecodeBytes(b)
		require.NoError(t, err)
		require.Equal(t, b, tx.Bytes())
		sizes[tx.Len()] = true
	}
	require.True(t, sizes[smallSize-1] && sizes[smallSize] && sizes[smallSize+1])
	for size := 1231; size <= 1233; size++ {
		tx, err := DecodeBytes(sized(t, txbuild.V1, size))
		require.NoError(t, err)
		require.Equal(t, size, tx.Len())
	}
	tx, err := DecodeBytes(ordinary(txbuild.Memo("x")).bytes(txbuild.V0))
	require.NoError(t, err)
	require.Empty(t, tx.Lookups())
}
