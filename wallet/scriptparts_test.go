package wallet_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/scripttest"
	"github.com/walletfi/walletfi-go/wallet"
)

// versions begin at random.
var versions = regexp.MustCompile(`at version \d+, not \d+`)

var errAway = errors.New("away")

// scriptedStore is the journal of one process of a script, which says what is stored.
type scriptedStore struct {
	wallet.Journal
	s    *scripted
	name string
	idle bool

	mu    sync.Mutex
	fault fault
	last  map[string]string // what was said of a key; saying it again says nothing
}

// fault goes wrong with calls of a journal, so often.
type fault struct {
	call  string // "load", "store", "list", "alive", "renew"
	state string // a part of what is stored, "" for any
	err   error
	after int // so many calls that go well
	times int
	taken bool // it is stored, and only the answer is lost
}

func (j *scriptedStore) fails(e *scripttest.Event) {
	f := fault{
		call: e.First(), state: e.Text("state", ""), err: errAway,
		after: e.Int("after", 0), times: e.Int("times", 1<<30), taken: e.Has("taken"),
	}
	if e.Has("fenced") {
		f.err = wallet.ErrFenced
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.fault = f
}

func (j *scriptedStore) heal() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.fault = fault{}
}

// failure is the error of a call.
func (j *scriptedStore) failure(call, state string) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	f := &j.fault
	if f.call != call || f.times == 0 || !strings.Contains(state, f.state) {
		return nil
	}
	if f.after > 0 {
		f.after--
		return nil
	}
	f.times--
	return f.err
}

func (j *scriptedStore) Load(ctx context.Context, key string) (wallet.Entry, error) {
	if err := j.failure("load", ""); err != nil {
		return wallet.Entry{}, err
	}
	return j.Journal.Load(ctx, key)
}

func (j *scriptedStore) Store(ctx context.Context, was uint64, e wallet.Entry) error {
	if e.Ledger != nil {
		return j.Journal.Store(ctx, was, e)
	}
	steps := make([]string, len(e.Steps))
	for i, step := range e.Steps {
		steps[i] = j.s.ledger.name(step.Own) + " " + string(step.State)
	}
	text := strings.Join(append([]string{string(e.State)}, steps...), ", ")
	key := strings.TrimPrefix(e.Key, "key:")
	failure, did := j.failure("store", text), "stores"
	if failure == nil || j.fault.taken {
		if err := j.Journal.Store(ctx, was, e); err != nil {
			return err
		}
	} else {
		did = "does not store"
	}
	j.say(key, did+": "+text)
	return failure
}

func (j *scriptedStore) say(key, text string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.last[key] != text {
		j.last[key] = text
		j.s.trace.Say(j.name+" "+key, "%s", text)
	}
}

func (j *scriptedStore) Alive(ctx context.Context, holder string) (bool, error) {
	if err := j.failure("alive", ""); err != nil {
		return false, err
	}
	return j.Journal.Alive(ctx, holder)
}

func (j *scriptedStore) Renew(ctx context.Context, holder string, lease time.Duration) error {
	return errors.Join(j.failure("renew", ""), j.Journal.Renew(ctx, holder, lease))
}

func (j *scriptedStore) List(ctx context.Context, q wallet.Query) iter.Seq2[wallet.Entry, error] {
	if err := j.failure("list", ""); err != nil {
		return func(yield func(wallet.Entry, error) bool) { yield(wallet.Entry{}, err) }
	}
	if j.idle {
		return func(func(wallet.Entry, error) bool) {}
	}
	return j.Journal.List(ctx, q)
}

// scriptedLedger is the ledger of a script and the submitter to it. Transactions are
// called tx1, tx2, ... in the order in which they are heard of.
type scriptedLedger struct {
	*chain
	s *scripted

	names  map[string]string // under chain.mu, as what follows
	heard  map[string]bool
	lands  time.Duration // since the beginning
	never  bool
	away   bool   // it does not answer
	failed string // which one fails
	hidden string // which one is not found
	refuse error
	times  int
}

func (l *scriptedLedger) name(signature string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.named(signature)
}

func (l *scriptedLedger) named(signature string) string {
	if l.names[signature] == "" {
		l.names[signature] = fmt.Sprintf("tx%d", len(l.names)+1)
	}
	return l.names[signature]
}

// spoken is a text with the names of transactions for their signatures.
func (l *scriptedLedger) spoken(text string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	for signature, name := range l.names {
		text = strings.ReplaceAll(text, signature, name)
	}
	return versions.ReplaceAllString(text, "at another version")
}

// set says what the ledger shows: that transactions land from a time on, never, or that
// one fails.
func (l *scriptedLedger) set(e *scripttest.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lands, l.never, l.away = e.Duration("lands", 0), e.Has("shows-nothing"), e.Has("away")
	l.failed, l.hidden = e.Text("fails", ""), e.Text("hides", "")
}

// refuses says what the submitter answers from now on.
func (l *scriptedLedger) refuses(e *scripttest.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.times = e.Int("times", 1<<30)
	switch what := e.First(); what {
	case "takes":
		l.refuse = nil
	case "loses":
		l.refuse = errLost
	case "refuses":
		l.refuse = walletfi.ErrNotSent
	default:
		e.Unknown()
	}
}

// shows is the ledger's status of a signature.
func (l *scriptedLedger) shows(_ int, signature string) (walletfi.SignatureStatus, error) {
	name := l.names[signature]
	switch {
	case l.away:
		return notFound, errAway
	case l.never, time.Since(l.begun) < l.lands, !l.heard[signature], name == l.hidden:
		return notFound, nil
	}
	status := found
	if name == l.failed {
		status.Err, status.Commitment = "Custom", walletfi.CommitmentFinalized
	}
	return status, nil
}

func (l *scriptedLedger) Submit(ctx context.Context, tx walletfi.Signed) (string, error) {
	signature, err := l.chain.Submit(ctx, tx)
	l.mu.Lock()
	defer l.mu.Unlock()
	name := l.named(tx.Signature)
	if l.times > 0 && l.refuse != nil {
		l.times--
		err = l.refuse
	}
	if !l.heard[tx.Signature] && !errors.Is(err, walletfi.ErrNotSent) {
		if l.heard == nil {
			l.heard = map[string]bool{}
		}
		l.heard[tx.Signature] = true
		l.s.trace.Say("ledger", "gets %s", name)
	}
	return signature, err
}

// SubmitBundle is as if one after the other.
func (l *scriptedLedger) SubmitBundle(ctx context.Context, txs []walletfi.Signed) (string, error) {
	var errs error
	for _, tx := range txs {
		_, err := l.Submit(ctx, tx)
		errs = errors.Join(errs, err)
	}
	return "bundle", errs
}
