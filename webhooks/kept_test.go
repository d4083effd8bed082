package webhooks

import (
	"bytes"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/internal/bodies"
)

// TestDeliveriesKeepLittle: what stays alive of a delivery is at most 4 times its body,
// whether it has one transaction or a thousand.
func TestDeliveriesKeepLittle(t *testing.T) {
	for name, bodyOf := range map[string]func(int) string{"EVM": bodies.EVM, "ledger": bodies.Ledger} {
		for _, n := range []int{1, 2, 4, 8, 10, 1000} {
			body := []byte(bodyOf(n))
			kept := make([]*Delivery, max(4, 4000/n))
			before := heap()
			for i := range kept {
				kept[i] = ParseDelivery(bytes.Clone(body))
				require.NotEqual(t, kept[i].EVM == nil, kept[i].Ledger == nil)
			}
			each := (heap() - before) / len(kept) // with the body, and the copy that the texts are part of
			t.Logf("%s, %d transactions, %d B: %d B kept, %.1f times", name, n, len(body), each, float64(each)/float64(len(body)))
			require.LessOrEqual(t, each, 4*len(body), "%s, %d transactions", name, n)
			runtime.KeepAlive(kept)
		}
	}
}

func heap() int {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}
