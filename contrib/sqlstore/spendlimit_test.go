package sqlstore_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/contrib/sqlstore"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// TestSpendLimit has eight callers pay with two wallets, each on a store of its own as a process has it: together
// they pay what the limit allows, and the ledger has no more.
func TestSpendLimit(t *testing.T) {
	const lamports, fee, fits, callers, calls = 1_000_000, 5000, 10, 8, 4
	onEach(t, func(t *testing.T, e engine) {
		box, err := sandbox.Start(sandbox.Config{NoLimits: true})
		require.NoError(t, err)
		t.Cleanup(box.Close)
		connections := &http.Transport{}
		t.Cleanup(connections.CloseIdleConnections)
		node, err := rpcnode.New(rpcnode.Config{
			URL: walletfi.NewSecret(box.URL(sandbox.RPC)), HTTPClient: &http.Client{Transport: connections},
		})
		require.NoError(t, err)
		key, err := signing.NewLocalKey(box.Wallet())
		require.NoError(t, err)
		var wallets []*wallet.Wallet
		for range 2 {
			w, err := wallet.New(wallet.Config{
				Signer: key, Guard: signing.NewGuard(signing.Policy{}), Journal: e.open(t).Journal(), Node: node,
				PollEvery: 100 * time.Millisecond,
				Spend: []wallet.SpendLimit{
					{Mint: walletfi.NativeMint, Within: time.Hour, Most: fits * (lamports + fee)},
				},
			})
			require.NoError(t, err)
			defer w.Close()
			wallets = append(wallets, w)
		}
		shop := solana.NewWallet().PublicKey().String()
		outcomes := make([]error, callers*calls)
		var all sync.WaitGroup
		for caller := range callers {
			all.Go(func() {
				for n := range calls {
					i := caller*calls + n
					blockhash, last, err := node.LatestBlockhash(t.Context())
					if err == nil {
						u := transfer(t, solana.PrivateKey(box.Wallet()), shop, lamports+uint64(i), blockhash, last)
						u.Intent.Spend[0].Amount = lamports + callers*calls
						_, err = wallets[caller%2].Execute(t.Context(), u, wallet.ExecuteOptions{Key: fmt.Sprint("order ", i)})
					}
					outcomes[i] = err
				}
			})
		}
		all.Wait()
		var paid, left uint64
		for i, err := range outcomes {
			if err == nil {
				paid++
				left += lamports + uint64(i)
				continue
			}
			require.ErrorIs(t, err, wallet.ErrSpendLimit)
			require.ErrorIs(t, err, walletfi.ErrNotSent)
		}
		require.Equal(t, left, box.Ledger().Balance(shop), "what is confirmed is what has left")
		require.LessOrEqual(t, left+paid*fee, uint64(fits*(lamports+fee)))
		require.Equal(t, uint64(fits-1), paid, "each takes a little more than a tenth")
	})
}

// BenchmarkSpendEntry stores what counts under wallet.Config.Spend, as each payment does twice: 1,000 payments
// that have landed within a window, and ten that may still land.
func BenchmarkSpendEntry(b *testing.B) {
	for name, open := range map[string]func(b *testing.B) (wallet.Journal, error){
		"file": func(b *testing.B) (wallet.Journal, error) { return wallet.OpenFileJournal(b.TempDir() + "/journal") },
		"sqlite": func(b *testing.B) (wallet.Journal, error) {
			s, err := sqlstore.Open(b.Context(), sqlstore.Config{Path: b.TempDir() + "/db"})
			if err != nil {
				return nil, err
			}
			b.Cleanup(func() { s.Close() })
			return s.Journal(), nil
		},
	} {
		for _, landed := range []int{10, 1000} {
			b.Run(fmt.Sprint(name, "/", landed), func(b *testing.B) {
				j, err := open(b)
				require.NoError(b, err)
				e := wallet.Entry{Schema: wallet.Schema, Key: "spend", State: wallet.KeyConfirmed, Spend: &wallet.Spend{
					Landed: map[string][]wallet.Landed{},
				}}
				for n := range landed {
					e.Spend.Landed[walletfi.NativeMint] = append(e.Spend.Landed[walletfi.NativeMint], wallet.Landed{
						At: 1_700_000_000_000 + int64(n)*86_400, Amount: 1_234_567_890,
					})
				}
				for n := range 10 {
					e.Spend.Open = append(e.Spend.Open, wallet.Debit{
						Key: fmt.Sprint("key:order ", n), ID: fmt.Sprintf("%064d", n), Claim: 1 << 61,
						Takes: []wallet.Taken{{Mint: walletfi.NativeMint, Amount: 1_234_567_890, Cost: 5000}},
					})
				}
				for b.Loop() {
					e.Version++
					require.NoError(b, j.Store(b.Context(), e.Version-1, e))
				}
			})
		}
	}
}
