package sqlstore_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/contrib/sqlstore"
	"github.com/walletfi/walletfi-go/internal/pause"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// engineConfig is how a process of its own opens a database.
func engineConfig(path, url string) sqlstore.Config {
	c := sqlstore.Config{Path: path, Keys: []walletfi.Secret{testKey}}
	if url != "" {
		c.URL = walletfi.NewSecret(url)
	}
	return c
}

// TestPayingProcess is a process of TestCrash: it pays the shop once under a key,
// and dies at the step that it is told. What it builds is its own.
func TestPayingProcess(t *testing.T) {
	text := os.Getenv(payVariable)
	if text == "" {
		return // TestCrash runs it in processes of their own
	}
	var task payTask
	require.NoError(t, json.Unmarshal([]byte(text), &task))
	k := &killer{at: int64(task.Kill)}
	store, err := sqlstore.Open(t.Context(), task.config())
	require.NoError(t, err)
	defer store.Close()
	connections := &http.Transport{}
	defer connections.CloseIdleConnections()
	client, err := rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret(task.RPC), HTTPClient: &http.Client{Transport: connections}})
	require.NoError(t, err)
	key, err := signing.NewLocalKey(task.Owner)
	require.NoError(t, err)
	node := &deadlyNode{client, k}
	w, err := wallet.New(wallet.Config{
		Signer: deadlySigner{key, k}, Guard: signing.NewGuard(signing.Policy{}), Journal: deadlyJournal{store.Journal(), k},
		Submitter: node, Confirmer: node, Heights: node,
		Lease: 1500 * time.Millisecond, PollEvery: 100 * time.Millisecond, ResendEvery: 400 * time.Millisecond,
	})
	require.NoError(t, err)
	defer w.Close()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for {
		result, err := w.Execute(ctx, task.build(t, client), wallet.ExecuteOptions{Key: task.Key})
		if err == nil {
			require.True(t, result.Confirmed())
			fmt.Println("confirmed")
			return
		}
		require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown)
		require.NoError(t, pause.For(ctx, 50*time.Millisecond), "last: %v", err)
	}
}

// build makes the transaction that pays the shop.
func (p payTask) build(t *testing.T, node *rpcnode.Client) walletfi.Unsigned {
	t.Helper()
	blockhash, last, err := node.LatestBlockhash(t.Context())
	require.NoError(t, err)
	owner, shop := solana.PrivateKey(p.Owner).PublicKey(), solana.MustPublicKeyFromBase58(p.Shop)
	built, err := solana.NewTransaction([]solana.Instruction{system.NewTransferInstruction(p.Lamports, owner, shop).Build()},
		solana.MustHashFromBase58(blockhash), solana.TransactionPayer(owner))
	require.NoError(t, err)
	tx, err := rpcnode.FromSolana(built)
	require.NoError(t, err)
	return walletfi.Unsigned{
		Transactions: []walletfi.EncodedTransaction{tx.Base64()}, Blockhash: blockhash, LastValidBlockHeight: last,
		Intent: walletfi.Intent{
			Owner: owner.String(), PayTo: []string{p.Shop},
			Spend: []walletfi.Asset{{Mint: walletfi.NativeMint, Amount: walletfi.Amount(p.Lamports)}},
		},
	}
}

// killer ends the process at its at-th step, and says which that was.
type killer struct{ at, steps int64 }

func (k *killer) step(name string) {
	if n := atomic.AddInt64(&k.steps, 1); n == k.at {
		fmt.Println(name)
		self, err := os.FindProcess(os.Getpid())
		if err == nil {
			err = self.Kill()
		}
		if err != nil {
			panic(err)
		}
		select {} // until the signal arrives
	}
}

// deadlyJournal has a step before and after each write.
type deadlyJournal struct {
	wallet.Journal
	*killer
}

func (j deadlyJournal) Load(ctx context.Context, key string) (wallet.Entry, error) {
	j.step("before a load")
	return j.Journal.Load(ctx, key)
}

func (j deadlyJournal) Store(ctx context.Context, was uint64, e wallet.Entry) error {
	j.step(fmt.Sprintf("before it stored %q", e.State))
	err := j.Journal.Store(ctx, was, e)
	j.step(fmt.Sprintf("after it stored %q", e.State))
	return err
}

type deadlySigner struct {
	signing.Signer
	*killer
}

func (s deadlySigner) Sign(ctx context.Context, message []byte) (signing.Signature, error) {
	s.step("before it signed")
	defer s.step("after it signed")
	return s.Signer.Sign(ctx, message)
}

// deadlyNode has a step before and after each send and each question.
type deadlyNode struct {
	*rpcnode.Client
	*killer
}

func (n *deadlyNode) Submit(ctx context.Context, tx walletfi.Signed) (string, error) {
	n.step("before it sent")
	defer n.step("after it sent")
	return n.Client.Submit(ctx, tx)
}

func (n *deadlyNode) SignatureStatuses(ctx context.Context, signatures []string) ([]walletfi.SignatureStatus, uint64, error) {
	n.step("before it asked for the status")
	defer n.step("after it asked for the status")
	return n.Client.SignatureStatuses(ctx, signatures)
}
