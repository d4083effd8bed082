package fees

import (
	"context"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/portion"
	"github.com/walletfi/walletfi-go/signing"
)

// Timeout bounds a question for recent fees or tips, and a simulation.
const Timeout = 10 * time.Second

// Most returns what a policy allows for a whole set.
func Most(p walletfi.FeePolicy, u walletfi.Unsigned) walletfi.Amount {
	most := portion.Up(p.MaxPerTransaction, uint64(len(u.Transactions)), 1)
	if p.MaxPerKey > 0 {
		most = min(most, p.MaxPerKey)
	}
	return most
}

// CostsOf are those of transactions of an owner.
func CostsOf(txs []*signing.Transaction, owner string) (costs []Cost) {
	key, _ := signing.ParsePublicKey(owner) // another owner's is refused before it is signed
	for _, tx := range txs {
		costs = append(costs, Of(tx, key))
	}
	return costs
}

// Measure simulates transactions, each after those before it, and returns the compute units that each
// used, 0 from the first on of which that is not told, and nil if it is told of none.
func Measure(ctx context.Context, simulator signing.Simulator, txs []*signing.Transaction) []uint64 {
	ctx, cancel := context.WithTimeout(ctx, Timeout)
	defer cancel()
	used := make([]uint64, len(txs))
	set, inOrder := simulator.(signing.SetSimulator)
	for i, tx := range txs {
		if i > 0 && !inOrder {
			break
		}
		simulate := simulator.Simulate
		if i > 0 {
			simulate = func(ctx context.Context, r signing.SimulationRequest) (*signing.Simulation, error) {
				return set.SimulateAfter(ctx, txs[:i], r)
			}
		}
		s, err := simulate(ctx, signing.SimulationRequest{Transaction: tx})
		if err != nil || s == nil || s.Err != "" || s.Units == 0 {
			break
		}
		used[i] = s.Units
	}
	if used[0] == 0 {
		return nil
	}
	return used
}
