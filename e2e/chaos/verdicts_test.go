package chaos

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/wallet"
)

// verdicts keeps what was said of each transaction, to hold it against the ledger.
type verdicts struct {
	told sync.Mutex
	keys map[string]map[string]bool // the signatures of each key's n-th transactions
	says []verdict
	why  []string // each false verdict
	// names tells the signature of a transaction that its sponsor has yet to sign.
	names func(walletfi.Signed) string
}

// verdict is the word of an Execute on a signature.
type verdict struct {
	nth, signature string
	state          wallet.State
	err            error
}

// hear keeps what an Execute said. A process that was killed says nothing.
func (c *verdicts) hear(key string, dead bool, result *wallet.Result, err error) {
	c.told.Lock()
	defer c.told.Unlock()
	outcomes := 0
	for _, outcome := range []error{walletfi.ErrNotSent, wallet.ErrExpired, wallet.ErrFailed, walletfi.ErrOutcomeUnknown} {
		if errors.Is(err, outcome) {
			outcomes++
		}
	}
	if errors.Is(err, wallet.ErrStopped) {
		outcomes = max(outcomes, 1) // alone, or beside what became of one
	}
	if result != nil {
		for i, step := range result.Steps {
			signature := step.Signature
			if signature == "" && step.Signed.Transaction != "" && c.names != nil {
				signature = c.names(step.Signed)
			}
			c.note(fmt.Sprint(key, " ", i), signature)
			if !dead {
				c.says = append(c.says, verdict{fmt.Sprint(key, " ", i), signature, step.State, step.Err})
			}
		}
	}
	if (err == nil) != (outcomes == 0) || outcomes > 1 {
		c.says = append(c.says, verdict{key, "an error that answers to not exactly one outcome", wallet.StateConfirmed, err})
	}
}

func (c *verdicts) note(nth, signature string) {
	if c.keys == nil {
		c.keys = map[string]map[string]bool{}
	}
	if c.keys[nth] == nil {
		c.keys[nth] = map[string]bool{}
	}
	c.keys[nth][signature] = true
}

// count compares what was said with the ledger.
func (c *verdicts) count(ledger func(signature string) (landed, failed bool)) (twice, wrong int) {
	c.told.Lock()
	defer c.told.Unlock()
	for _, signatures := range c.keys {
		executed := 0
		for signature := range signatures {
			if landed, failed := ledger(signature); landed && !failed {
				executed++
			}
		}
		if executed > 1 {
			twice++
		}
	}
	for _, v := range c.says {
		landed, failed := ledger(v.signature)
		was := wrong
		switch v.state {
		case wallet.StateConfirmed:
			if !landed || failed {
				wrong++
			}
		case wallet.StateFailed:
			if !landed || !failed {
				wrong++
			}
		case wallet.StateExpired, wallet.StateNotSent:
			if landed {
				wrong++
			}
		}
		if wrong > was {
			c.why = append(c.why, fmt.Sprintf("key %s: %.8s was called %s: %v", v.nth, v.signature, v.state, v.err))
		}
	}
	return twice, wrong
}

// tally counts what was said, by state.
type tally map[wallet.State]int

func (c *verdicts) addTo(all tally) {
	for _, v := range c.says {
		all[v.state]++
	}
}

func (t tally) String() string {
	return fmt.Sprintf("confirmed=%d failed=%d expired=%d not sent=%d unknown=%d",
		t[wallet.StateConfirmed], t[wallet.StateFailed], t[wallet.StateExpired], t[wallet.StateNotSent], t[wallet.StateUnknown])
}

// life is a process's: it may be dead, or so slow that its leases end.
type life struct {
	dead    atomic.Bool
	stalled bool
}

var errDead = errors.New("the process is dead")

// mortalJournal is a journal as a process uses it. Some answers are lost, of writes that
// were taken and of writes that were not.
type mortalJournal struct {
	wallet.Journal
	*life
	struck func(kind string, chance float64) bool
}

var errJournal = errors.New("the journal's answer was lost")

func (j mortalJournal) Store(ctx context.Context, was uint64, e wallet.Entry) error {
	if j.dead.Load() || j.struck("a write is lost", .02) {
		return errJournal
	}
	err := j.Journal.Store(ctx, was, e)
	if err == nil && j.struck("a write's answer is lost", .02) {
		return errJournal
	}
	return err
}

func (j mortalJournal) Load(ctx context.Context, key string) (wallet.Entry, error) {
	if j.dead.Load() || j.struck("the journal does not answer", .02) {
		return wallet.Entry{}, errJournal
	}
	return j.Journal.Load(ctx, key)
}

func (j mortalJournal) Renew(ctx context.Context, holder string, lease time.Duration) error {
	if j.dead.Load() || j.stalled && lease > 0 {
		return nil
	}
	return j.Journal.Renew(ctx, holder, lease)
}
