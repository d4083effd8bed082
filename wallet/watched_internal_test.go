package wallet

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
)

// TestWatchedIsAskedForLessOften: four times PollEvery without a hint, at once with
// one, and no longer watched when its end is known.
func TestWatchedIsAskedForLessOften(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := &statusNode{}
		tr := trackerOn(n)
		defer tr.close()
		told := map[string]func(){}
		var stopped atomic.Int32
		tr.watcher = watchers(func(signature string, changed func()) func() {
			told[signature] = changed
			return func() { stopped.Add(1) }
		})
		watched, nameless, earlier := parcelOf(1), parcelOf(1), parcelOf(1)
		nameless.flights[0].step.Signature = ""
		earlier.flights[0].step.Signature = "earlier"
		earlier.left = true
		begun := time.Now()
		tr.mu.Lock()
		tr.running = true // so that nothing is asked yet
		tr.mu.Unlock()
		for _, p := range []*parcel{watched, nameless, earlier} {
			tr.add(p)
		}
		require.Equal(t, begun.Add(2*time.Second), watched.flights[0].next)
		require.Equal(t, begun.Add(500*time.Millisecond), nameless.flights[0].next)
		require.Equal(t, begun, earlier.flights[0].next, "it may have landed already")
		require.Len(t, told, 2, "what has no name yet cannot be watched")
		require.Contains(t, told, "s0")

		tr.drop(nameless, errors.New("over"))
		tr.drop(earlier, errors.New("over"))
		synctest.Wait()
		require.EqualValues(t, 1, stopped.Load())
		tr.mu.Lock()
		tr.running = false
		tr.mu.Unlock()
		other := parcelOf(1)
		other.flights[0].step.Signature = "other"
		tr.add(other)
		<-time.After(300 * time.Millisecond)
		synctest.Wait()
		require.Empty(t, n.batches())
		told["s0"]()
		<-time.After(time.Millisecond)
		synctest.Wait()
		require.Len(t, n.batches(), 1, "at once")
		n.found.Store(true)
		told["s0"]()
		<-time.After(100 * time.Millisecond)
		synctest.Wait()
		require.EqualValues(t, 3, stopped.Load())
		require.Equal(t, KeyConfirmed, watched.flights[0].verdict)
		was := watched.flights[0].next
		told["s0"]() // too late
		tr.takeHints(time.Now())
		require.Equal(t, was, watched.flights[0].next)
		require.False(t, tr.running, "nothing is in flight")
	})
}

// TestNameThatADoorTells: a sponsor's signature is taken from an answer and not from
// an error, and while the flight goes on; from then on it is watched.
func TestNameThatADoorTells(t *testing.T) {
	tx, name := signedTransfer(t)
	for what, row := range map[string]struct {
		told     string
		err      error
		finished bool
		was      string
		want     string
	}{
		"the sponsor's":       {told: name, want: name},
		"with an error":       {told: name, err: errors.New("lost")},
		"too late":            {told: name, finished: true},
		"another one":         {told: name, was: "s0", want: name},
		"of what has a name":  {told: name, was: "own", want: "own"},
		"of another message":  {told: "1111111111111111111111111111111111111111111111111111111111111111"},
		"that is no name":     {told: "landed"},
		"that is not decoded": {told: name, was: "garbled"},
	} {
		t.Run(what, func(t *testing.T) {
			tr := trackerOn(nil)
			var changed func()
			watched := ""
			tr.watcher = watchers(func(signature string, f func()) func() { watched, changed = signature, f; return func() {} })
			tr.search = searchOne(&node{})
			p := parcelOf(1, &door{})
			f := p.flights[0]
			f.step.Transaction, f.step.Signature, f.step.Own, f.finished = tx, row.was, "own", row.finished
			if row.was == "garbled" {
				f.step.Transaction, f.step.Signature = "AQ==", ""
			}
			tr.answered(p.doors[0], p, row.told, row.err)
			require.Equal(t, row.want, f.step.Signature)
			if row.want != row.told {
				require.Empty(t, watched)
				return
			}
			require.Equal(t, name, watched)
			changed()
			require.Equal(t, []*flight{f}, tr.hints)
		})
	}
}

// TestPartOfABundle: the part whose end is known is not asked for again; the rest is,
// to its end.
func TestPartOfABundle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := &parts{}
		tr := trackerOn(nil)
		tr.batch = n
		defer tr.close()
		p := parcelOf(2)
		tr.add(p)
		<-time.After(10 * time.Second)
		synctest.Wait()
		tr.mu.Lock()
		require.Equal(t, KeyConfirmed, p.flights[0].verdict)
		require.False(t, p.flights[1].finished)
		tr.mu.Unlock()
		require.Equal(t, []string{"s0", "s1"}, n.batches()[0])
		require.Greater(t, len(n.batches()), 3)
		for _, later := range n.batches()[1:] {
			require.Equal(t, []string{"s1"}, later)
		}
		n.all.Store(true)
		<-time.After(5 * time.Second)
		synctest.Wait()
		require.Equal(t, KeyConfirmed, p.flights[1].verdict)
		synctest.Wait()
		require.False(t, tr.running)
	})
}

// parts is a node that has the first transaction, and then all.
type parts struct {
	statusNode
	all atomic.Bool
}

func (n *parts) SignatureStatuses(_ context.Context, signatures []string) (walletfi.SignatureStatuses, error) {
	_, _ = n.statusNode.SignatureStatuses(context.Background(), signatures)
	found := make([]walletfi.SignatureStatus, len(signatures))
	for i, s := range signatures {
		found[i] = walletfi.SignatureStatus{Found: n.all.Load() || s == "s0", Commitment: walletfi.CommitmentConfirmed}
	}
	return walletfi.SignatureStatuses{Statuses: found, AsOfSlot: 1}, nil
}

// TestSeenIsNotSentAgain: what a node has seen executed is of no use to send.
func TestSeenIsNotSentAgain(t *testing.T) {
	p := parcelOf(2, &door{})
	require.False(t, p.idle())
	p.flights[0].status.Found = true
	require.False(t, p.idle(), "the other one is not")
	p.flights[1].finished = true
	require.True(t, p.idle())
	require.True(t, parcelOf(1).idle(), "there is no door")
}

// TestClosedTracker: what is followed, and what comes later, is in doubt; calls under way
// are cut short and waited for.
func TestClosedTracker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		over := false
		held := &door{send: func(ctx context.Context, _ []walletfi.Signed) (string, error) {
			<-ctx.Done()
			<-time.After(time.Second) // it takes a moment to end
			over = true
			return "", ctx.Err()
		}}
		tr := trackerOn(&statusNode{})
		tr.tryTimeout = time.Hour
		p, late := parcelOf(1, held), parcelOf(1, held)
		tr.add(p)
		synctest.Wait()
		begun := time.Now()
		tr.close()
		require.Equal(t, time.Second, time.Since(begun))
		require.True(t, over)
		tr.add(late)
		synctest.Wait()
		for _, c := range []*parcel{p, late} {
			require.Equal(t, KeyInDoubt, c.flights[0].verdict)
			require.ErrorIs(t, c.flights[0].cause, errClosed)
			require.LessOrEqual(t, c.sends, 1)
		}
		require.Zero(t, late.sends)
		require.Empty(t, tr.parcels)
	})
}

// TestSentAtOnce: what is added while the loop rests does not wait for it.
func TestSentAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr := trackerOn(&statusNode{})
		defer tr.close()
		tr.pollEvery = 30 * time.Second
		tr.add(parcelOf(1))
		<-time.After(time.Second)
		synctest.Wait()
		var sent []time.Time
		begun := time.Now()
		tr.add(parcelOf(1, &door{send: func(context.Context, []walletfi.Signed) (string, error) {
			sent = append(sent, time.Now())
			return "", errors.New("lost")
		}}))
		<-time.After(time.Minute)
		synctest.Wait()
		require.Equal(t, begun, sent[0])
		require.Equal(t, begun.Add(tr.resendEvery), sent[1])
		tr.mu.Lock()
		for c := range tr.parcels {
			tr.settleAll(c, errors.New("enough"))
		}
		tr.mu.Unlock()
		synctest.Wait()
		require.False(t, tr.running, "the loop does not wait for its timer")
	})
}

// signedTransfer is a transaction that its fee payer has signed, and the signature.
func signedTransfer(t *testing.T) (walletfi.Base64Transaction, string) {
	t.Helper()
	key, err := signing.GenerateLocalKey()
	require.NoError(t, err)
	payer := solana.PublicKey(key.PublicKey())
	built, err := solana.NewTransaction([]solana.Instruction{system.NewTransferInstruction(1, payer, solana.PublicKey{5}).Build()}, solana.Hash{1}, solana.TransactionPayer(payer))
	require.NoError(t, err)
	built.Signatures = make([]solana.Signature, 1)
	text, err := built.ToBase64()
	require.NoError(t, err)
	tx, err := signing.Decode(walletfi.Base64Transaction(text))
	require.NoError(t, err)
	s, err := key.Sign(t.Context(), tx.Message())
	require.NoError(t, err)
	return walletfi.Base64Transaction(text), s.String()
}
