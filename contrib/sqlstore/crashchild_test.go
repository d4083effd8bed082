package sqlstore_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/contrib/sqlstore"
	"github.com/walletfi/walletfi-go/internal/pause"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/rpcnode/solanago"
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
	k := &killer{at: int64(task.Kill), signal: syscall.SIGKILL}
	if task.Suspend {
		k.signal = syscall.SIGSTOP
	}
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
		if !errors.Is(err, walletfi.ErrOutcomeUnknown) {
			require.ErrorIs(t, err, walletfi.ErrNotSent) // it lost the key while it was suspended
		}
		require.NoError(t, pause.For(ctx, 50*time.Millisecond), "last: %v", err)
	}
}

// build makes the transaction that pays the shop.
func (p payTask) build(t *testing.T, node *rpcnode.Client) walletfi.Unsigned {
	t.Helper()
	blockhash, last, err := node.LatestBlockhash(t.Context())
	require.NoError(t, err)
	u := transfer(t, p.Owner, p.Shop, p.Lamports, blockhash, last)
	u.Intent.Spend[0].Amount = 1_000_001 // both ask for the same; the amount tells whose was executed
	return u
}

// transfer pays a shop out of the owner's wallet.
func transfer(t *testing.T, key solana.PrivateKey, shop string, lamports uint64, blockhash string, last uint64) walletfi.Unsigned {
	t.Helper()
	owner := key.PublicKey()
	built, err := solana.NewTransaction(
		[]solana.Instruction{system.NewTransferInstruction(lamports, owner, solana.MustPublicKeyFromBase58(shop)).Build()},
		solana.MustHashFromBase58(blockhash), solana.TransactionPayer(owner))
	require.NoError(t, err)
	tx, err := solanago.FromSolana(built)
	require.NoError(t, err)
	return walletfi.Unsigned{
		Transactions: []walletfi.EncodedTransaction{tx.Base64()}, Blockhash: blockhash, LastValidBlockHeight: last,
		Intent: walletfi.Intent{
			Owner: owner.String(), PayTo: []string{shop},
			Spend: []walletfi.Asset{{Mint: walletfi.NativeMint, Amount: walletfi.Amount(lamports)}},
		},
	}
}

// killer ends or suspends the process at its at-th step, and says which that was.
type killer struct {
	at, steps int64
	signal    syscall.Signal
	// writing is held while the journal is written, since a process that is suspended
	// with SQLite's lock keeps all others out until it goes on.
	writing sync.RWMutex
}

func (k *killer) step(name string) {
	if n := atomic.AddInt64(&k.steps, 1); n == k.at {
		fmt.Println(name)
		self, err := os.FindProcess(os.Getpid())
		if err == nil {
			err = k.end(self)
		}
		if err != nil {
			panic(err)
		}
	}
}

func (k *killer) end(self *os.Process) error {
	if k.signal == syscall.SIGSTOP {
		k.writing.Lock()
		defer k.writing.Unlock()
	}
	err := self.Signal(k.signal)
	_ = pause.For(context.Background(), 100*time.Millisecond) // until the signal arrives
	return err
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
	j.writing.RLock()
	err := j.Journal.Store(ctx, was, e)
	j.writing.RUnlock()
	j.step(fmt.Sprintf("after it stored %q", e.State))
	return err
}

func (j deadlyJournal) Renew(ctx context.Context, holder string, lease time.Duration) error {
	j.writing.RLock()
	defer j.writing.RUnlock()
	return j.Journal.Renew(ctx, holder, lease)
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

func (n *deadlyNode) SignatureStatuses(ctx context.Context, signatures []string) (walletfi.SignatureStatuses, error) {
	n.step("before it asked for the status")
	defer n.step("after it asked for the status")
	return n.Client.SignatureStatuses(ctx, signatures)
}
