package signing

import (
	"fmt"
	"math"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/race"
	"github.com/walletfi/walletfi-go/internal/txwire"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// full is the scene with as many of its parts as a packet has room for.
func full(part func(i int) *scene) *scene {
	n := 1
	for ; n < 64 && len(part(n+1).bytes(txbuild.V0)) <= txwire.MaxSize; n++ {
	}
	return part(n)
}

// worst are transactions at the limits of what a packet holds, each of another number with
// other accounts. A resolver knows all of them.
func worst(number int, known *reader) map[string]*scene {
	key := func(i int) PublicKey { return addressOf(fmt.Sprintf("worst %d of %d", i, number)) }
	ours := func(i int) PublicKey { return AssociatedTokenAddress(owner, key(i), TokenProgram) }
	of := func(n int, instruction func(i int) txbuild.Instruction) *scene {
		s := ordinary()
		for i := range n {
			s.instructions = append(s.instructions, instruction(i))
		}
		s.intent.Spend[1].Amount, s.policy.Resolver = 1<<40, known
		s.policy.Tokens = TokenList{usdc: {"USDC", 6}, pump: {"USD\u0421", 3}}
		return s
	}
	return map[string]*scene{
		"lookup tables": full(func(n int) *scene {
			s := of(n, func(i int) txbuild.Instruction {
				return txbuild.Call(exchange, nil, txbuild.Writable(ours(i)), txbuild.Readonly(key(i)), txbuild.WritableSigner(owner))
			})
			for i := range n {
				s.build.Tables = append(s.build.Tables, txbuild.Table{Address: key(1000 + i), Holds: []txbuild.Key{txbuild.Key(ours(i)), txbuild.Key(key(i))}})
				known.tables[key(1000+i)] = []PublicKey{ours(i), key(i)}
				known.accounts[ours(i)] = holding(TokenProgram, key(i), owner, 7)
			}
			return s
		}),
		"calls": full(func(n int) *scene {
			return of(n, func(i int) txbuild.Instruction {
				return txbuild.Call(exchange, []byte{byte(i)}, txbuild.WritableSigner(owner), txbuild.Writable(ourUSDC), txbuild.Writable(ourPump), txbuild.Writable(listed))
			})
		}),
		"transfers": full(func(n int) *scene {
			return of(n, func(i int) txbuild.Instruction { return spl.TransferChecked(ourUSDC, usdc, key(i), owner, 1, 6) })
		}),
		"memos": full(func(n int) *scene {
			return of(n, func(int) txbuild.Instruction { return txbuild.Memo("\u202e\u202e\u202e\u202e") })
		}),
	}
}

// TestWorstCase: a set of 16 transactions at the limits is judged and told, twice as an approval
// needs it, within 1 MiB. How long it takes is printed: less than 20 ms on a machine of one's own.
func TestWorstCase(t *testing.T) {
	known := &reader{accounts: map[PublicKey]AccountState{}, tables: tables{}}
	var numbers []map[string]*scene
	for i := range 16 {
		numbers = append(numbers, worst(i, known))
	}
	const most = uint64(1<<20) * race.Factor
	for name := range numbers[0] {
		var all []*scene
		for _, scenes := range numbers {
			all = append(all, scenes[name])
		}
		for _, n := range []int{1, 16} {
			u, guard := set(txbuild.V0, all[:n]...), NewGuard(all[0].policy)
			least, allocated, text := time.Duration(math.MaxInt64), uint64(math.MaxUint64), 0
			// Other tests of the process allocate too, and pools are emptied at times.
			for k := 0; k < 5 || k < 100 && allocated >= most; k++ {
				took, bytes, report, err := told(t, guard, u)
				require.NoError(t, err, name)
				least, allocated, text = min(least, took), min(allocated, bytes), len(report.Text())
			}
			t.Logf("%s: transactions=%d bytes=%d instructions=%d tables=%d took=%v allocated=%d text=%d", name, n,
				len(all[0].bytes(txbuild.V0)), len(all[0].instructions), len(all[0].build.Tables), least, allocated, text)
			require.Less(t, allocated, most, name)
			if !race.Enabled {
				require.Less(t, least, 200*time.Millisecond, "ten times its bound, on a machine that others use: %s", name)
			}
		}
	}
}

// told checks a set and writes its report.
func told(t *testing.T, guard *Guard, u walletfi.Unsigned) (time.Duration, uint64, *Report, error) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	_, report, err := guard.CheckSet(t.Context(), u)
	if report != nil {
		_ = report.Digest()
		_ = report.Text()
	}
	took := time.Since(start)
	runtime.ReadMemStats(&after)
	return took, after.TotalAlloc - before.TotalAlloc, report, err
}
