package webhooks

import (
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEVMKeepsLittle: what stays alive of a payload is a few times its body,
// whether it has one transaction or a thousand.
func TestEVMKeepsLittle(t *testing.T) {
	const transaction = `{"hash":"0x6f2e","from":"0xaa","to":"0xbb","value":"0x1","status":"0x1","logs":[` +
		`{"address":"0xcc","topics":["0x11","0x22","0x33"],"data":"0x","logIndex":"0x0"},` +
		`{"address":"0xcc","topics":["0x11"],"data":"0x","logIndex":"0x1"}]}`
	for _, n := range []int{1, 2, 10, 1000} {
		body := `{"blockNumber":1,"blockHash":"0x01","transactions":[` + strings.Repeat(transaction+",", n-1) + transaction + `]}`
		kept := make([]*EVMPayload, max(4, 4000/n))
		before := heap()
		for i := range kept {
			kept[i] = new(EVMPayload)
			require.True(t, scanEVM([]byte(body), kept[i]))
			require.Len(t, kept[i].Transactions, n)
		}
		each := (heap() - before) / len(kept) // with the body, which the texts are part of
		t.Logf("%d transactions, %d B: %d B kept, %.1f times", n, len(body), each, float64(each)/float64(len(body)))
		require.Less(t, each, 4*len(body)+1024)
		runtime.KeepAlive(kept)
	}
}

func heap() int {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}
