package signer_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest"
)

func TestCeilings(t *testing.T) {
	r := newRig(t, 2)
	first := r.signed(r.pay(payee, 2*sol-baseFee))
	second := r.signed(r.pay(payee, 2*sol-baseFee))
	assert.Equal(t, int64(sol), r.left())
	refusal := r.refused("trader", r.pay(payee, sol), signer.CodeWindow) // the fee is one of the debits
	assert.True(t, refusal.Waits)
	assert.Zero(t, refusal.RetryAt, "no time frees what can still land")
	r.refused("trader", r.pay(payee, 2*sol), signer.CodeCeiling)
	r.signed(r.pay(payee, sol-baseFee))
	assert.Zero(t, r.left())

	require.True(t, r.land(first, ""))
	landed := at(r.slot)
	r.settle()
	require.True(t, r.land(second, ""))
	r.settle()
	refusal = r.refused("trader", r.pay(payee, sol), signer.CodeWindow)
	assert.WithinRange(t, refusal.RetryAt, landed.Add(time.Hour), landed.Add(time.Hour+5*time.Minute))
	for r.clock.Now().Before(landed.Add(time.Hour)) {
		r.pass(time.Minute)
		require.NoError(t, r.Settle(t.Context()))
		if r.clock.Now().Before(landed.Add(time.Hour)) {
			require.LessOrEqual(t, r.left(), int64(sol), "something is free early") // the third is dead by then
		}
	}
	r.pass(6 * time.Minute)
	require.NoError(t, r.Settle(t.Context()))
	assert.Equal(t, int64(5*sol), r.left())
}

func TestHoardNeverFrees(t *testing.T) {
	r := newRig(t, 2)
	for _, n := range r.nodes {
		n.hide = true // no proof of anything
	}
	r.signed(r.pay(payee, 2*sol-baseFee))
	for range 20 {
		r.pass(10 * time.Hour)
		for _, n := range r.nodes {
			n.away = true
		}
		assert.Error(t, r.Settle(t.Context()))
		assert.Equal(t, int64(3*sol), r.left())
	}
}

func TestOneMessageCountsOnce(t *testing.T) {
	r := newRig(t, 2)
	q := r.pay(payee, sol-baseFee)
	r.signed(q)
	q.Key = "another key"
	r.signed(q)
	assert.Equal(t, int64(4*sol), r.left())
	q.Unsigned.Transactions = r.pay(payee, sol-baseFee).Unsigned.Transactions
	r.signed(q) // another message, under the same key
	assert.Equal(t, int64(3*sol), r.left())
	_, err := r.SignSet(t.Context(), "other", q)
	require.NoError(t, err)
	assert.Equal(t, int64(2*sol), r.left(), "another client's counts by itself")
}

func TestShares(t *testing.T) {
	r := newRig(t, 2)
	_, err := r.SignSet(t.Context(), "other", r.pay(payee, sol-baseFee))
	require.NoError(t, err)
	r.refused("other", r.pay(payee, sol), signer.CodeShare)
	_, err = r.SignSet(t.Context(), "other", r.pay(payee, sol-baseFee))
	require.NoError(t, err)
	r.refused("other", r.pay(payee, 1), signer.CodeShare)
	r.signed(r.pay(payee, 2*sol-baseFee))
}

func TestDeadComesBackByTwoNodes(t *testing.T) {
	for nodes, want := range map[int]int64{2: 5 * sol, 1: 3 * sol} {
		r := newRig(t, nodes)
		tx := r.signed(r.pay(payee, 2*sol-baseFee))
		r.pass(150 * slotTime)
		require.NoError(t, r.Settle(t.Context()))
		assert.Equal(t, int64(3*sol), r.left(), "it can still land")
		open, err := r.Live(t.Context())
		require.NoError(t, err)
		require.Len(t, open, 1)
		final := head(r.slot - finality).Height
		assert.GreaterOrEqual(t, open[0].Last, final, "it can land until there")
		assert.Less(t, open[0].Last, final+150)
		h, err := r.Health(t.Context())
		require.NoError(t, err)
		pace := time.Duration(open[0].Last-final) * 600 * time.Millisecond
		assert.WithinDuration(t, h.Time.Add(pace), open[0].Until, time.Second)
		for range 4 {
			r.settle()
		}
		assert.False(t, r.land(tx, ""))
		live, err := r.Live(t.Context())
		require.NoError(t, err)
		assert.Empty(t, live)
		assert.Equal(t, want, r.left(), "%d nodes", nodes)
		r.refused("trader", signing.SetRequest{Count: 1, Unsigned: walletfi.Unsigned{
			Transactions: []walletfi.EncodedTransaction{tx.Base64()}, Intent: r.pay(payee, 2*sol).Unsigned.Intent,
		}}, signer.CodeEnded)
		r.pass(time.Hour + 5*time.Minute)
		require.NoError(t, r.Settle(t.Context()))
		assert.Equal(t, int64(5*sol), r.left(), "%d nodes", nodes)
	}
}

func TestALiarProvesNothing(t *testing.T) {
	r := newRig(t, 3)
	tx := r.signed(r.pay(payee, 2*sol-baseFee))
	require.True(t, r.land(tx, ""))
	r.nodes[0].hide = true
	for range 8 {
		r.settle()
	}
	assert.Equal(t, int64(3*sol), r.left())
	live, err := r.Live(t.Context())
	require.NoError(t, err)
	assert.Empty(t, live, "two of three know that it landed")
}

func TestFailedKeepsItsCosts(t *testing.T) {
	r := newRig(t, 2)
	tx := r.signed(r.pay(payee, 2*sol-baseFee))
	require.True(t, r.land(tx, "Custom"))
	r.settle()
	assert.Equal(t, int64(5*sol-baseFee), r.left())
}

func TestRefusals(t *testing.T) {
	r := newRig(t, 2)
	q := func(change func(*signing.SetRequest)) signing.SetRequest {
		q := r.pay(payee, sol)
		change(&q)
		return q
	}
	unseen := signingtest.Transaction{FeePayer: owner, Instructions: []signingtest.Instruction{signingtest.Transfer(owner, payee, 5)}}
	for name, c := range map[string]struct {
		client string
		q      signing.SetRequest
		code   string
	}{
		"a payee that is not listed": {"trader", r.pay(thief, 1), signer.CodePayee},
		"an unknown client":          {"nobody", r.pay(payee, 1), signer.CodeClient},
		"a service of others": {"other", q(func(q *signing.SetRequest) { q.Unsigned.Intent.Service = "lending" }),
			signer.CodeClient},
		"another owner": {"trader", q(func(q *signing.SetRequest) { q.Unsigned.Intent.Owner = thief.String() }),
			signer.CodeClient},
		"nothing":      {"trader", q(func(q *signing.SetRequest) { q.Unsigned.Transactions = nil }), signer.CodeRequest},
		"out of range": {"trader", q(func(q *signing.SetRequest) { q.First = 1 }), signer.CodeRequest},
		"no count":     {"trader", q(func(q *signing.SetRequest) { q.Count = 0 }), signer.CodeRequest},
		"overflow":     {"trader", q(func(q *signing.SetRequest) { q.First, q.Count = 1<<62, 1<<62 }), signer.CodeRequest},
		"a grant":      {"trader", q(func(q *signing.SetRequest) { q.Grant = "g" }), signer.CodeApproval},
		"more than the intent": {"trader", q(func(q *signing.SetRequest) { q.Unsigned.Intent.Spend[0].Amount = 1 }),
			"guard." + string(signing.RuleSystemTransfer)},
		"an unseen blockhash": {"trader", q(func(q *signing.SetRequest) {
			q.Unsigned.Transactions = []walletfi.EncodedTransaction{unseen.Unsigned(t)}
		}), signer.CodeBlockhash},
		"the same twice": {"trader", q(func(q *signing.SetRequest) {
			q.Unsigned.Transactions = append(q.Unsigned.Transactions, q.Unsigned.Transactions[0])
			q.Count = 2
		}), signer.CodeRequest},
		"a program that is not pinned": {"trader", q(func(q *signing.SetRequest) {
			tx := signingtest.Transaction{FeePayer: owner, Blockhash: r.blockhash(), Instructions: []signingtest.Instruction{
				signingtest.Call(program, owner),
			}}
			q.Unsigned.Transactions = []walletfi.EncodedTransaction{tx.Unsigned(t)}
		}), "guard." + string(signing.RuleUnknownProgram)},
	} {
		t.Run(name, func(t *testing.T) { r.refused(c.client, c.q, c.code) })
	}
	assert.Equal(t, int64(5*sol), r.left(), "a refusal counts nothing")
}

func TestASetIsJudgedTransactionByTransaction(t *testing.T) {
	r := newRig(t, 2)
	q := r.pay(payee, 2*sol-baseFee)
	q.Unsigned.Transactions = append(q.Unsigned.Transactions, r.pay(payee, 2*sol-baseFee).Unsigned.Transactions...)
	q.Unsigned.Transactions = append(q.Unsigned.Transactions, r.pay(payee, 2*sol-baseFee).Unsigned.Transactions...)
	q.Count = 3
	r.refused("trader", q, signer.CodeWindow)
	assert.Equal(t, int64(5*sol), r.left(), "all or nothing")
	q.Count = 2
	d, err := r.SignSet(t.Context(), "trader", q)
	require.NoError(t, err)
	assert.Len(t, d.Signatures, 2)
	assert.Equal(t, int64(sol), r.left())
}

func TestJudgeCountsNothing(t *testing.T) {
	r := newRig(t, 2)
	q := r.pay(payee, sol)
	d, err := r.Judge(t.Context(), "trader", q)
	require.NoError(t, err)
	assert.Empty(t, d.Signatures)
	require.Len(t, d.Messages, 1)
	assert.Equal(t, signer.GradeBytes, d.Messages[0].Grade)
	assert.Equal(t, []signer.Debit{{Mint: walletfi.NativeMint, Amount: sol + baseFee, Cost: baseFee}}, d.Messages[0].Debits)
	assert.Equal(t, int64(5*sol), r.left())
	_, err = r.Judge(t.Context(), "trader", r.pay(payee, 3*sol))
	require.ErrorIs(t, err, signing.ErrRefused)
}

func TestFreeze(t *testing.T) {
	r := newRig(t, 2)
	q := r.pay(payee, 1)
	r.signed(q)
	require.NoError(t, r.Freeze(t.Context(), "uid 0", signer.ModeFrozen, "drill"))
	r.refused("trader", r.pay(payee, 1), signer.CodeFrozen)
	r.refused("trader", q, signer.CodeFrozen)
	r.reopen()
	r.refused("trader", r.pay(payee, 1), signer.CodeFrozen)
	require.NoError(t, r.Freeze(t.Context(), "uid 0", signer.ModeExit, "leave"))
	r.refused("trader", r.pay(payee, 1), signer.CodeFrozen)
	r.signed(r.pay(rescue, 1))
	require.NoError(t, r.Thaw(t.Context(), "uid 0", "over"))
	r.signed(r.pay(payee, 1))
	require.Error(t, r.Freeze(t.Context(), "uid 0", signer.ModeOpen, ""))
}

func TestAnotherPolicySignsNothing(t *testing.T) {
	r := newRig(t, 2)
	r.signed(r.pay(payee, sol-baseFee))
	was := r.cfg.Policy
	text := policyText("[[payee]]", `name = "x"`, `address = "`+thief.String()+`"`)
	wider, err := signer.ParsePolicy([]byte(strings.ReplaceAll(text, `"bot"`, `"robot"`)))
	require.NoError(t, err)
	r.cfg.Policy = wider
	r.reopen()
	r.refused("trader", r.pay(payee, 1), signer.CodePolicy)
	health, err := r.Health(t.Context())
	require.NoError(t, err)
	assert.False(t, health.InForce)
	r.cfg.Accept = was.Fingerprint()
	r.reopen()
	r.refused("trader", r.pay(payee, 1), signer.CodePolicy)
	r.cfg.Accept = wider.Fingerprint()
	r.reopen()
	assert.Equal(t, int64(4*sol), r.left(), "windows survive a change, and another name")
	r.signed(r.pay(thief, 1))
}

// badKey is a key that does something else than sign.
type badKey struct {
	signing.Signer
	sign func(context.Context, []byte) (signing.Signature, error)
}

func (b *badKey) Sign(ctx context.Context, m []byte) (signing.Signature, error) {
	return b.sign(ctx, m)
}

func TestABadBackendGivesNothing(t *testing.T) {
	bad := &badKey{Signer: ownerKey}
	r := newRig(t, 2, func(cfg *signer.Config) { cfg.Keys = []signing.Signer{bad} })
	left := int64(5 * sol)
	for name, sign := range map[string]func(context.Context, []byte) (signing.Signature, error){
		"wrong": func(ctx context.Context, m []byte) (signing.Signature, error) {
			return ownerKey.Sign(ctx, append(m, 0))
		},
		"another's": func(ctx context.Context, m []byte) (signing.Signature, error) {
			return signingtest.Key("thief").Sign(ctx, m)
		},
		"none": func(context.Context, []byte) (signing.Signature, error) {
			return signing.Signature{}, errors.New("away")
		},
		"changes": func(ctx context.Context, m []byte) (signing.Signature, error) {
			m[5] ^= 1
			return ownerKey.Sign(ctx, m)
		},
	} {
		bad.sign = sign
		r.refused("trader", r.pay(payee, sol/10-baseFee), signer.CodeBackend)
		left -= sol / 10
		assert.Equal(t, left, r.left(), "%s: what was counted stays counted", name)
	}
}

// TestAKeyThatHangs: a key that does not come back, though its context has ended, holds nobody
// up, and what it answers late changes nothing.
func TestAKeyThatHangs(t *testing.T) {
	late := make(chan struct{})
	bad := &badKey{Signer: ownerKey, sign: func(ctx context.Context, m []byte) (signing.Signature, error) {
		<-late
		return ownerKey.Sign(ctx, m)
	}}
	r := newRig(t, 2, func(cfg *signer.Config) { cfg.Keys = []signing.Signer{bad} })
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	q, ended := r.pay(payee, sol-baseFee), make(chan error, 1)
	go func() {
		_, err := r.SignSet(ctx, "trader", q)
		ended <- err
	}()
	select {
	case err := <-ended:
		require.ErrorContains(t, err, signer.CodeBackend)
	case <-time.After(20 * time.Second):
		close(late)
		require.NoError(t, <-ended)
		t.Fatal("the request waits for the key")
	}
	assert.Equal(t, int64(4*sol), r.left())
	close(late)
	r.signed(q)
	assert.Equal(t, int64(4*sol), r.left(), "it is the same message")
}

func TestNodesThatDoNotAnswer(t *testing.T) {
	r := newRig(t, 3)
	r.nodes[0].away = true
	r.signed(r.pay(payee, 1))
	r.nodes[1].away = true
	refusal := r.refused("trader", r.pay(payee, 1), signer.CodeBlockhash)
	assert.True(t, refusal.Waits)
}

func TestRacesNeverExceed(t *testing.T) {
	r := newRig(t, 2)
	var all sync.WaitGroup
	var signed atomic.Int64
	for range 12 {
		q := r.pay(payee, sol-baseFee)
		all.Go(func() {
			if _, err := r.SignSet(t.Context(), "trader", q); err == nil {
				signed.Add(1)
			}
		})
	}
	all.Wait()
	assert.Equal(t, int64(5), signed.Load())
	assert.Zero(t, r.left())
}

func TestACrashBeforeTheSignature(t *testing.T) {
	bad := &badKey{Signer: ownerKey, sign: func(context.Context, []byte) (signing.Signature, error) {
		return signing.Signature{}, errors.New("the process ends here")
	}}
	r := newRig(t, 2, func(cfg *signer.Config) { cfg.Keys = []signing.Signer{bad} })
	q := r.pay(payee, sol-baseFee)
	r.refused("trader", q, signer.CodeBackend)
	r.cfg.Keys = []signing.Signer{ownerKey}
	r.reopen()
	assert.Equal(t, int64(4*sol), r.left())
	tx := r.signed(q) // the same message, which counts already
	assert.Equal(t, int64(4*sol), r.left())
	require.True(t, r.land(tx, ""))
	r.settle()
	live, err := r.Live(t.Context())
	require.NoError(t, err)
	assert.Empty(t, live)
}

func TestAClockThatJumpsFreezes(t *testing.T) {
	for name, d := range map[string]time.Duration{"forth": time.Hour, "back": -time.Hour} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, 2)
			r.signed(r.pay(payee, sol-baseFee))
			left := r.left()
			r.clock.add(d)
			assert.Equal(t, left, r.left(), "time is the ledger's, and a margin")
			r.pass(slotTime)
			require.NoError(t, r.Settle(t.Context()))
			r.refused("trader", r.pay(payee, 1), signer.CodeFrozen)
		})
	}
}

func TestTheStoreIsOneProcess(t *testing.T) {
	r := newRig(t, 2)
	_, err := signer.Open(t.Context(), r.cfg)
	require.ErrorContains(t, err, "locked")
	r.signed(r.pay(payee, 1))
	info, err := os.Stat(r.cfg.Store)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
}

// TestASponsorSignsLast: the ledger knows the transaction by a signature that the signer has
// not made.
func TestASponsorSignsLast(t *testing.T) {
	sponsor := signingtest.Key("sponsor")
	policy, err := signer.ParsePolicy([]byte(strings.Replace(policyText(), "rescue =",
		`sponsors = ["`+sponsor.PublicKey().String()+`"]`+"\nrescue =", 1)))
	require.NoError(t, err)
	for name, lands := range map[string]bool{"lands": true, "dies": false} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, 2, func(cfg *signer.Config) { cfg.Policy = policy })
			q := r.pay(payee, sol)
			q.Unsigned.Intent.Sponsor = sponsor.PublicKey().String()
			tx := signingtest.Transaction{FeePayer: sponsor.PublicKey(), Blockhash: r.blockhash(),
				Instructions: []signingtest.Instruction{signingtest.Transfer(owner, payee, sol)}}
			q.Unsigned.Transactions = []walletfi.EncodedTransaction{tx.Unsigned(t)}
			_, err := r.SignSet(t.Context(), "trader", q)
			require.NoError(t, err)
			assert.Equal(t, int64(4*sol), r.left())
			if lands {
				signed, err := signing.Decode(tx.Signed(t, sponsor, ownerKey).Transaction)
				require.NoError(t, err)
				require.True(t, r.land(signed, ""))
			}
			for range 6 {
				r.settle()
			}
			live, err := r.Live(t.Context())
			require.NoError(t, err)
			assert.Empty(t, live)
			assert.Equal(t, map[bool]int64{true: 4 * sol, false: 5 * sol}[lands], r.left())
		})
	}
}
