package linear

import (
	"path/filepath"
	"testing"

	"github.com/walletfi/walletfi-go/wallet"
)

// killedSubject is journals in processes of their own, which are killed in the middle
// and started again. What the system was given to write stays; no write is left half
// done by it.
func killedSubject(kind string, processes int) subject {
	name := kind + ", killed"
	return subject{name: name, needs: []string{"crash"}, start: func(t *testing.T, _ uint64) *fleet {
		what := kind + ":" + filepath.Join(t.TempDir(), "journal")
		var children []*remote
		f := sharing(processes, func(int) wallet.Journal {
			children = append(children, startRemote(t, what))
			return children[len(children)-1]
		})
		if processes == 1 { // of the same process, but with more goroutines
			f.alone = true
			f.processes = append(f.processes, f.processes[0], f.processes[0])
		}
		f.crash = func(i int) {
			i %= processes
			f.processes[i].restart(func() wallet.Journal {
				children[i].kill()
				children[i] = startRemote(t, what)
				return children[i]
			})
		}
		return f
	}}
}
