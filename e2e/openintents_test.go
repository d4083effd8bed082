package e2e

import (
	"context"
	"flag"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/ratelimit"
	"github.com/walletfi/walletfi-go/rpcnode/solanago"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

var openIntents = flag.Int("open", 1000, "intents that are open at once in TestLandingOpen")

// unheard is a node that takes what it is sent, as fast as it allows, and whose ledger never
// holds any of it.
type unheard struct {
	limit            ratelimit.Limiter
	questions, sends atomic.Int64
}

// unheardSends is how many transactions a second an unheard node takes.
const unheardSends = 200

func (n *unheard) Submit(ctx context.Context, tx walletfi.Signed) (string, error) {
	done, err := n.limit.Permit(ctx, time.Minute)
	if err != nil {
		return "", fmt.Errorf("%w: %w", walletfi.ErrNotSent, err)
	}
	n.sends.Add(1)
	return tx.Signature, done(ctx, true)
}

func (n *unheard) SignatureStatus(ctx context.Context, signature string) (walletfi.SignatureStatus, error) {
	return walletfi.SignatureStatus{}, nil
}

func (n *unheard) SignatureStatuses(_ context.Context, all []string) (walletfi.SignatureStatuses, error) {
	n.questions.Add(1)
	time.Sleep(20 * time.Millisecond)
	return walletfi.SignatureStatuses{Statuses: make([]walletfi.SignatureStatus, len(all)), AsOfSlot: 1000}, nil
}

func (n *unheard) BlockHeight(context.Context) (uint64, error) { return 500, nil }

// TestLandingOpen: with any number of intents open a wallet asks 40 questions a second, and
// sends what the node allows, at little cost. All of them:
//
//	go test ./e2e -run LandingOpen -open 100000 -v
func TestLandingOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		key, err := signing.NewLocalKey(solana.NewWallet().PrivateKey)
		require.NoError(t, err)
		node := &unheard{limit: ratelimit.New(ratelimit.Budget{Requests: unheardSends, Per: time.Second})}
		w, err := wallet.New(wallet.Config{
			Signer: key, Guard: signing.NewGuard(signing.Policy{}), Submitter: node, Confirmer: node, Heights: node,
			ConfirmTimeout: time.Hour,
		})
		require.NoError(t, err)
		heap, stacks := inUse()
		ctx, cancel := context.WithCancel(t.Context())
		var all sync.WaitGroup
		for i := range *openIntents {
			u := lamports(t, key, uint64(i+1))
			all.Go(func() { _, _ = w.Execute(ctx, u, wallet.ExecuteOptions{}) })
		}
		time.Sleep(5 * time.Second)
		synctest.Wait()
		const watched = 30
		questions, sends, cpu := node.questions.Load(), node.sends.Load(), cpuTime(t)
		time.Sleep(watched * time.Second)
		cores := (cpuTime(t) - cpu).Seconds() / watched
		asked := float64(node.questions.Load()-questions) / watched
		sent := float64(node.sends.Load()-sends) / watched
		heapNow, stacksNow := inUse()
		bytes, stack := (heapNow-heap)/int64(*openIntents), (stacksNow-stacks)/int64(*openIntents)
		fmt.Printf("open=%d questions/s=%.1f sends/s=%.1f cores=%.2f bytes=%d stack=%d\n",
			*openIntents, asked, sent, cores, bytes, stack)
		require.LessOrEqual(t, asked, 40.5)
		if *openIntents >= 50_000 {
			require.GreaterOrEqual(t, asked, 39.0)
		}
		require.GreaterOrEqual(t, sent, .95*unheardSends)
		require.LessOrEqual(t, bytes, int64(10<<10))
		require.LessOrEqual(t, cores, .5)
		cancel()
		all.Wait()
		require.NoError(t, w.Close())
	})
}

// lamports is a payment of some from the key to itself.
func lamports(t *testing.T, key *signing.LocalKey, amount uint64) walletfi.Unsigned {
	owner := solana.MustPublicKeyFromBase58(key.PublicKey().String())
	built, err := solana.NewTransaction([]solana.Instruction{system.NewTransferInstruction(amount, owner, owner).Build()},
		solana.Hash{1}, solana.TransactionPayer(owner))
	require.NoError(t, err)
	tx, err := solanago.FromSolana(built)
	require.NoError(t, err)
	return walletfi.Unsigned{
		Blockhash: solana.Hash{1}.String(), LastValidBlockHeight: 600,
		Transactions: []walletfi.EncodedTransaction{tx.Base64()},
		Intent: walletfi.Intent{
			Service: "test", Owner: owner.String(), PayTo: []string{owner.String()},
			Spend: []walletfi.Asset{{Mint: walletfi.NativeMint, Amount: walletfi.Amount(amount)}},
		},
	}
}

// inUse is the memory that the program holds, and that of its goroutines' stacks, which
// each collection halves as long as they are mostly unused.
func inUse() (heap, stacks int64) {
	for range 4 {
		runtime.GC()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc), int64(m.StackInuse)
}

// cpuTime returns the processor time that the process has used.
func cpuTime(t *testing.T) time.Duration {
	var usage syscall.Rusage
	require.NoError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
