package e2e

import (
	"context"
	"errors"
	"net/http"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/rpcnode/solanago"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// patron is a relay that pays the fee, signs last and may not say so.
type patron struct {
	key    *signing.LocalKey
	node   *rpcnode.Client
	after  time.Duration // how long it waits before it sends
	never  bool          // it does not sign
	silent bool          // it does not answer
	lost   bool          // its answer is garbled
	sends  int
}

// Submit implements walletfi.Submitter.
func (p *patron) Submit(ctx context.Context, tx walletfi.Signed) (string, error) {
	p.sends++
	if p.never {
		return "", errors.New("no sponsor today")
	}
	sent, err := signing.Decode(tx.Transaction)
	if err != nil {
		return "", err
	}
	if err := signing.SignUnchecked(ctx, sent, p.key); err != nil {
		return "", err
	}
	whole := sent.Signed()
	time.AfterFunc(p.after, func() { p.node.Submit(context.Background(), whole) })
	switch {
	case p.silent:
		<-ctx.Done()
		return "", ctx.Err()
	case p.lost:
		return "", errors.New("the answer is garbled")
	}
	return whole.Signature, nil
}

// sponsorship is a wallet whose fees a patron pays.
type sponsorship struct {
	*patron
	box     *sandbox.Sandbox
	journal wallet.Journal
	shop    solana.PublicKey
}

// underPatron runs test in a bubble in which the cluster's time goes by.
func underPatron(t *testing.T, p *patron, test func(t *testing.T, s *sponsorship)) {
	t.Helper()
	box := flows.Start(t, sandbox.Config{ManualClock: true, NoLimits: true, Network: &sandbox.Network{}})
	synctest.Test(t, func(t *testing.T) {
		stop := make(chan struct{})
		defer close(stop)
		go func() {
			for {
				select {
				case <-stop:
					return
				case <-time.After(100 * time.Millisecond):
					box.Advance(100 * time.Millisecond)
				}
			}
		}()
		var err error
		p.key, err = signing.GenerateLocalKey()
		require.NoError(t, err)
		require.NoError(t, box.Ledger().FundWallet(p.key.PublicKey().String(), 1_000_000_000))
		journal, err := wallet.OpenFileJournal(filepath.Join(t.TempDir(), "journal"))
		require.NoError(t, err)
		defer journal.Close()
		s := &sponsorship{patron: p, box: box, journal: journal, shop: solana.NewWallet().PublicKey()}
		p.node = s.client(t)
		test(t, s)
		require.Empty(t, box.Violations())
	})
}

func (s *sponsorship) client(t *testing.T) *rpcnode.Client {
	t.Helper()
	node, err := rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret(s.box.URL(sandbox.RPC)), HTTPClient: &http.Client{Transport: s.box.Transport()}})
	require.NoError(t, err)
	return node
}

func (s *sponsorship) open(t *testing.T) *wallet.Wallet {
	t.Helper()
	key, err := signing.NewLocalKey(s.box.Wallet())
	require.NoError(t, err)
	node := s.client(t)
	w, err := wallet.New(wallet.Config{
		Signer: key, Guard: signing.NewGuard(signing.Policy{Sponsors: []signing.PublicKey{s.key.PublicKey()}}),
		Submitter: s.patron, Confirmer: node, Heights: node, Journal: s.journal, Lease: 10 * time.Second, ConfirmTimeout: 10 * time.Minute,
	})
	require.NoError(t, err)
	return w
}

// pay is a payment whose fee the patron is to pay.
func (s *sponsorship) pay(t *testing.T) walletfi.Unsigned {
	t.Helper()
	blockhash, _, err := s.node.LatestBlockhash(t.Context())
	require.NoError(t, err)
	me := solana.MustPublicKeyFromBase58(s.box.WalletAddress())
	built, err := solana.NewTransaction([]solana.Instruction{system.NewTransferInstruction(2_000_000, me, s.shop).Build()},
		solana.MustHashFromBase58(blockhash), solana.TransactionPayer(solana.PublicKey(s.key.PublicKey())))
	require.NoError(t, err)
	tx, err := solanago.FromSolana(built)
	require.NoError(t, err)
	return walletfi.Unsigned{
		Blockhash: blockhash, Transactions: []walletfi.EncodedTransaction{tx.Base64()},
		Intent: walletfi.Intent{
			Service: "test", Owner: me.String(), PayTo: []string{s.shop.String()}, Sponsor: s.key.PublicKey().String(),
			Spend: []walletfi.Asset{{Mint: walletfi.NativeMint, Amount: 2_000_000}},
		},
	}
}

func (s *sponsorship) paid() uint64 { return s.box.Ledger().Balance(s.shop.String()) }

// TestSponsored: whatever the sponsor says, the wallet tells what the ledger has.
func TestSponsored(t *testing.T) {
	for name, p := range map[string]*patron{
		"signs last":        {},
		"garbled answer":    {lost: true},
		"no answer":         {silent: true},
		"signs late":        {after: 25 * time.Second, silent: true},
		"signs at the last": {after: 55 * time.Second, lost: true},
	} {
		t.Run(name, func(t *testing.T) {
			underPatron(t, p, func(t *testing.T, s *sponsorship) {
				w := s.open(t)
				defer w.Close()
				result, err := w.Execute(t.Context(), s.pay(t), wallet.ExecuteOptions{Key: name})
				require.NoError(t, err)
				require.True(t, result.Confirmed())
				require.EqualValues(t, 2_000_000, s.paid())
				require.True(t, s.box.Ledger().TransactionStatus(result.Steps[0].Signature).Found)
			})
		})
	}
}

// TestSponsorNeverSigned: the payment expires by proof, and not before the
// sponsor could still sign.
func TestSponsorNeverSigned(t *testing.T) {
	underPatron(t, &patron{never: true}, func(t *testing.T, s *sponsorship) {
		w := s.open(t)
		defer w.Close()
		begun := time.Now()
		u := s.pay(t)
		_, err := w.Execute(t.Context(), u, wallet.ExecuteOptions{Key: "never"})
		require.ErrorIs(t, err, wallet.ErrExpired)
		require.NotErrorIs(t, err, walletfi.ErrOutcomeUnknown)
		require.Greater(t, time.Since(begun), 150*400*time.Millisecond)
		require.Positive(t, s.sends)
		require.Zero(t, s.paid())

		s.never = false
		result, err := w.Execute(t.Context(), s.pay(t), wallet.ExecuteOptions{Key: "never"})
		require.NoError(t, err, "the key is free again")
		require.True(t, result.Confirmed())
		require.EqualValues(t, 2_000_000, s.paid(), "once")
	})
}

// TestSponsorAfterCrash: the process dies before the sponsor's answer, and the
// next one finds the transaction in the owner's history.
func TestSponsorAfterCrash(t *testing.T) {
	underPatron(t, &patron{after: 5 * time.Second, silent: true}, func(t *testing.T, s *sponsorship) {
		w := s.open(t)
		ctx, crash := context.WithTimeout(t.Context(), time.Second)
		defer crash()
		_, err := w.Execute(ctx, s.pay(t), wallet.ExecuteOptions{Key: "crash"})
		require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown)
		require.NoError(t, w.Close())

		next := s.open(t)
		defer next.Close()
		outcomes, err := next.Settle(t.Context())
		require.NoError(t, err)
		require.Len(t, outcomes, 1)
		require.Equal(t, wallet.StateConfirmed, outcomes[0].Steps[0].State)
		require.NotEmpty(t, outcomes[0].Steps[0].Signature)
		require.EqualValues(t, 2_000_000, s.paid())
		result, err := next.Execute(t.Context(), s.pay(t), wallet.ExecuteOptions{Key: "crash"})
		require.NoError(t, err)
		require.True(t, result.Confirmed())
		require.EqualValues(t, 2_000_000, s.paid(), "once")
	})
}
