package linear

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"github.com/walletfi/walletfi-go/wallet"
)

// remote is a journal in a child process, which can be killed.
type remote struct {
	command *exec.Cmd
	stdin   io.WriteCloser

	mu    sync.Mutex
	in    *json.Encoder
	next  int64
	dead  bool
	calls map[int64]chan remoteAnswer
}

// startRemote starts this test's program again, as a process that serves a journal.
func startRemote(t *testing.T, what string) *remote {
	r := &remote{command: exec.Command(os.Args[0]), calls: map[int64]chan remoteAnswer{}}
	r.command.Env = append(os.Environ(), childVariable+"="+what)
	r.command.Stderr = os.Stderr
	stdin, err := r.command.StdinPipe()
	if err != nil {
		panic(err)
	}
	stdout, err := r.command.StdoutPipe()
	if err != nil {
		panic(err)
	}
	if err := r.command.Start(); err != nil {
		panic(err)
	}
	t.Cleanup(r.kill)
	r.stdin, r.in = stdin, json.NewEncoder(stdin)
	out := json.NewDecoder(bufio.NewReader(stdout))
	var ready remoteAnswer
	if err := out.Decode(&ready); err != nil {
		t.Errorf("%s does not open: %v", what, err)
	}
	go r.listen(out)
	return r
}

// listen hands the answers out until the process ends.
func (r *remote) listen(out *json.Decoder) {
	for {
		var a remoteAnswer
		err := out.Decode(&a)
		r.mu.Lock()
		if err != nil {
			r.dead = true
			for _, c := range r.calls {
				close(c)
			}
			r.mu.Unlock()
			return
		}
		// Listings are small, so that no channel is ever full.
		r.calls[a.ID] <- a
		if !a.More {
			close(r.calls[a.ID])
			delete(r.calls, a.ID)
		}
		r.mu.Unlock()
	}
}

// kill ends the process without a word, and waits until it is gone.
func (r *remote) kill() {
	_ = r.command.Process.Kill()
	_ = r.command.Wait()
	_ = r.stdin.Close()
}

// ask sends a call. The channel is closed after the last answer, or before it if the
// process dies.
func (r *remote) ask(ctx context.Context, call remoteCall) (<-chan remoteAnswer, error) {
	if deadline, ok := ctx.Deadline(); ok {
		call.Within = max(1, time.Until(deadline))
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.dead {
		return nil, errDied
	}
	r.next++
	call.ID = r.next
	c := make(chan remoteAnswer, 64)
	r.calls[call.ID] = c
	if err := r.in.Encode(call); err != nil {
		delete(r.calls, call.ID)
		return nil, errDied
	}
	return c, nil
}

// one is a call with one answer.
func (r *remote) one(ctx context.Context, call remoteCall) (remoteAnswer, error) {
	c, err := r.ask(ctx, call)
	if err != nil {
		return remoteAnswer{}, err
	}
	a, ok := <-c
	if !ok {
		return remoteAnswer{}, errDied
	}
	return a, a.failure()
}

func (r *remote) Load(ctx context.Context, key string) (wallet.Entry, error) {
	a, err := r.one(ctx, remoteCall{Method: "Load", Key: key})
	if err != nil {
		return wallet.Entry{}, err
	}
	return *a.Entry, nil
}

func (r *remote) Store(ctx context.Context, was uint64, e wallet.Entry) error {
	_, err := r.one(ctx, remoteCall{Method: "Store", Was: was, Entry: e})
	return err
}

func (r *remote) Renew(ctx context.Context, holder string, lease time.Duration) error {
	_, err := r.one(ctx, remoteCall{Method: "Renew", Holder: holder, Lease: lease})
	return err
}

func (r *remote) Alive(ctx context.Context, holder string) (bool, error) {
	a, err := r.one(ctx, remoteCall{Method: "Alive", Holder: holder})
	return a.Alive, err
}

func (r *remote) List(ctx context.Context, q wallet.Query) iter.Seq2[wallet.Entry, error] {
	return func(yield func(wallet.Entry, error) bool) {
		c, err := r.ask(ctx, remoteCall{Method: "List", Query: q})
		if err != nil {
			yield(wallet.Entry{}, err)
			return
		}
		for a := range c {
			if a.Entry == nil {
				if err := a.failure(); err != nil {
					yield(wallet.Entry{}, err)
				}
				return
			}
			if !yield(*a.Entry, nil) {
				return
			}
		}
		yield(wallet.Entry{}, errDied)
	}
}

// remoteCall is a call of a journal in a child process, a line of JSON.
type remoteCall struct {
	ID     int64         `json:"id"`
	Method string        `json:"method"`
	Key    string        `json:"key,omitempty"`
	Was    uint64        `json:"was,omitempty"`
	Entry  wallet.Entry  `json:"entry"`
	Query  wallet.Query  `json:"query"`
	Holder string        `json:"holder,omitempty"`
	Lease  time.Duration `json:"lease,omitempty"`
	Within time.Duration `json:"within,omitempty"` // 0 for no deadline
}

// remoteAnswer is its answer. A List has one for each entry, and one at its end.
type remoteAnswer struct {
	ID     int64         `json:"id"`
	Entry  *wallet.Entry `json:"entry,omitempty"`
	Alive  bool          `json:"alive,omitempty"`
	Fenced bool          `json:"fenced,omitempty"`
	Err    string        `json:"err,omitempty"`
	More   bool          `json:"more,omitempty"` // further answers to the call follow
}

// failure is the error that the child's journal returned, as far as its caller tells
// errors apart.
func (a remoteAnswer) failure() error {
	switch {
	case a.Fenced:
		return wallet.ErrFenced
	case a.Err != "":
		return errors.New(a.Err)
	}
	return nil
}

func (a remoteAnswer) with(err error) remoteAnswer {
	a.Fenced = errors.Is(err, wallet.ErrFenced)
	if err != nil {
		a.Err = err.Error()
	}
	return a
}
