package wallet_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// limited is an order of one's own that sets the compute limit which it is asked for.
type limited struct {
	*priced
	limits [][]uint64
}

func (l *limited) Build(ctx context.Context) (walletfi.Unsigned, error) {
	asked := wallet.LimitsAsked(ctx)
	l.limits = append(l.limits, asked)
	if l.units = 10_000; len(asked) > 0 {
		l.units = uint32(asked[0])
	}
	return l.priced.Build(ctx)
}

// simulated tells how many units a simulation used.
type simulated struct {
	units uint64
	fails string
	err   error
	asked int
}

func (s *simulated) Simulate(context.Context, signing.SimulationRequest) (*signing.Simulation, error) {
	s.asked++
	return &signing.Simulation{Units: s.units, Err: s.fails}, s.err
}

// TestComputeLimitIsRemembered: an order that sets the compute limit is asked for what the same one used,
// and a fifth more. A second build to learn it is made only if a simulator is given for that, and counted.
func TestComputeLimitIsRemembered(t *testing.T) {
	for name, row := range map[string]struct {
		simulator *simulated
		used      []uint64 // by the executions
		limits    [][]uint64
		builds    []int
		told      int // simulations
	}{
		"by executions": {nil, []uint64{5000, 4000, 8000}, [][]uint64{nil, {6000}, {5626}}, []int{1, 1, 1}, 0},
		"not told":      {nil, []uint64{0, 0}, [][]uint64{nil, nil}, []int{1, 1}, 0},
		"by a simulation": {
			&simulated{units: 3001}, []uint64{0, 5000, 0}, [][]uint64{nil, {3602}, {3602}, {6000}}, []int{2, 1, 1}, 1,
		},
		"by one that fails":       {&simulated{units: 3000, fails: "no"}, []uint64{0, 0}, [][]uint64{nil, nil}, []int{1, 1}, 2},
		"by one that is away":     {&simulated{err: errors.New("away")}, []uint64{0}, [][]uint64{nil}, []int{1}, 1},
		"by one that is silent":   {&simulated{}, []uint64{0}, [][]uint64{nil}, []int{1}, 1},
		"by one that exaggerates": {&simulated{units: 1 << 63}, []uint64{0}, [][]uint64{nil, {1_400_000}}, []int{2}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := &feeMarket{global: []uint64{1000}}
				node, placed := &effectsNode{}, 0
				r := newRigWith(t, func(c *wallet.Config) {
					c.Fees, c.FeeReader, c.Effects = p75, m, node
					if row.simulator != nil {
						c.FeeSimulator = row.simulator
					}
				})
				node.tell = func(_ int, signature string) (*walletfi.Effects, error) {
					e := brought(r.owner.String(), signature)
					e.Units = row.used[placed]
					return e, nil
				}
				b := &limited{priced: &priced{r: r, t: t}}
				for i, builds := range row.builds {
					placed = i
					done, err := r.wallet.Place(soon(t), b, wallet.PlaceOptions{Key: string(rune('a' + i))})
					if row.simulator != nil && row.simulator.units > 1_400_000 {
						require.ErrorIs(t, err, walletfi.ErrNotSent, "the cap holds: 1,400 lamports are above it")
						continue
					}
					require.NoError(t, err)
					require.Len(t, done.Landing, 1)
					require.Equal(t, builds, done.Landing[0].Builds)
					require.Equal(t, uint64(b.units), done.Landing[0].Units)
				}
				require.Equal(t, row.limits, b.limits)
				if row.simulator != nil {
					require.Equal(t, row.told, row.simulator.asked)
				}
			})
		})
	}
}

// TestComputeLimitOfOthers: what does not ask for a limit is not built twice for it, and nothing is asked
// without a policy.
func TestComputeLimitOfOthers(t *testing.T) {
	require.Nil(t, wallet.LimitsAsked(t.Context()))
	synctest.Test(t, func(t *testing.T) {
		s := &simulated{units: 3000}
		r := newRigWith(t, func(c *wallet.Config) {
			c.Fees, c.FeeReader, c.FeeSimulator = p75, &feeMarket{global: []uint64{1000}}, s
		})
		placed, err := r.wallet.Place(soon(t), &priced{r: r, t: t, units: 10_000}, wallet.PlaceOptions{Key: "a"})
		require.NoError(t, err)
		require.Equal(t, 1, placed.Landing[0].Builds)
		require.Zero(t, s.asked)
	})
}
