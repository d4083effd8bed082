package inboxtest_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/walletfi/walletfi-go/webhooks"
)

// backing is a good store that several processes share, and that outlives them.
// Each flaw breaks it in one way.
type backing struct {
	flaw string
	mu   sync.Mutex
	all  []*item
	ids  int
}

type item struct {
	webhooks.DeadDelivery
	attempts int // allowed
	due      time.Time
	running  bool
}

func (b *backing) has(flaw string) bool { return b.flaw == flaw }

// inbox is a process's.
type inbox struct {
	*backing
	work    webhooks.InboxWork
	ctx     context.Context
	cancel  context.CancelFunc
	stop    chan struct{}
	workers sync.WaitGroup
}

func (i *inbox) Start(work webhooks.InboxWork) error {
	if i.stop != nil && !i.has("it starts twice") {
		return errors.New("started before")
	}
	i.work, i.stop = work, make(chan struct{})
	i.ctx, i.cancel = context.WithCancel(context.Background())
	for range work.Workers {
		i.workers.Go(i.run)
	}
	return nil
}

func (i *inbox) run() {
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-i.stop:
			return
		case <-tick.C:
		}
		for it := i.next(); it != nil; it = i.next() {
			i.finish(it, i.handle(it))
		}
	}
}

func (i *inbox) next() *item {
	select {
	case <-i.stop:
		return nil
	default:
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, it := range i.all {
		if it.ID == "" && (!it.running || i.has("processes do not exclude")) && time.Now().After(it.due) {
			it.running = true
			return it
		}
	}
	return nil
}

func (i *inbox) handle(it *item) (err error) {
	ctx, cancel := context.WithTimeout(i.ctx, i.work.Timeout)
	if i.has("time does not end") {
		ctx, cancel = context.WithTimeout(i.ctx, time.Minute)
	}
	defer cancel()
	defer func() {
		if p := recover(); p != nil {
			if err = fmt.Errorf("panic: %v", p); i.has("a panic is a success") {
				err = nil
			}
		}
	}()
	return i.work.Handle(ctx, it.StoredDelivery, it.Attempts)
}

func (i *inbox) finish(it *item, err error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	it.running = false
	if err == nil || i.has("failures are forgotten") {
		i.all = slices.DeleteFunc(i.all, func(other *item) bool { return other == it })
		return
	}
	it.Attempts++
	if it.Cause = err.Error(); i.has("the first cause is kept") && it.Attempts > 1 {
		it.Cause = "run 1"
	}
	if it.Attempts < it.attempts || i.has("nothing dies") {
		if it.due = time.Now().Add(i.work.Wait(it.Attempts)); i.has("it does not wait") {
			it.due = time.Time{}
		}
		return
	}
	i.ids++
	it.ID, it.DiedAt = strconv.Itoa(i.ids), time.Now()
}

func (i *inbox) Put(_ context.Context, d webhooks.StoredDelivery) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, it := range i.all {
		if it.Key == d.Key && !i.has("keys are not looked up") && !(i.has("the dead are put again") && it.ID != "") {
			return nil
		}
	}
	if d.Body = slices.Clone(d.Body); i.has("bodies are text") {
		d.Body = []byte(string([]rune(string(d.Body))))
	}
	if i.has("times are in seconds") {
		d.ReceivedAt = d.ReceivedAt.Truncate(time.Second)
	}
	it := &item{attempts: 3}
	if i.work.Attempts > 0 {
		it.attempts = i.work.Attempts
	}
	it.StoredDelivery = d
	i.all = append(i.all, it)
	return nil
}

func (i *inbox) Stop(ctx context.Context) error {
	select {
	case <-i.stop:
	default:
		close(i.stop)
	}
	if i.has("stop does not wait") {
		return nil
	}
	if i.has("it dies with its process") {
		i.mu.Lock()
		i.all = nil
		i.mu.Unlock()
	}
	done := make(chan struct{})
	go func() { i.workers.Wait(); close(done) }()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		if !i.has("handlers are not told") {
			i.cancel()
		}
		return ctx.Err()
	}
}

func (i *inbox) Dead(context.Context) iter.Seq2[webhooks.DeadDelivery, error] {
	return func(yield func(webhooks.DeadDelivery, error) bool) {
		i.mu.Lock()
		var all []webhooks.DeadDelivery
		for _, it := range i.all {
			if it.ID != "" {
				all = append(all, it.DeadDelivery)
			}
		}
		i.mu.Unlock()
		slices.SortFunc(all, func(a, b webhooks.DeadDelivery) int { return a.DiedAt.Compare(b.DiedAt) })
		if i.has("one page is listed") {
			all = all[:min(100, len(all))]
		}
		for _, d := range all {
			if !yield(d, nil) {
				return
			}
		}
	}
}

func (i *inbox) find(id string) *item {
	for _, it := range i.all {
		if it.ID == id && id != "" {
			return it
		}
	}
	return nil
}

func (i *inbox) GetDead(_ context.Context, id string) (webhooks.DeadDelivery, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if it := i.find(id); it != nil {
		return it.DeadDelivery, nil
	}
	if i.has("no error of an unknown ID") {
		return webhooks.DeadDelivery{}, nil
	}
	return webhooks.DeadDelivery{}, webhooks.ErrNotDead
}

func (i *inbox) RetryDead(_ context.Context, id string) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	it := i.find(id)
	if it == nil {
		return webhooks.ErrNotDead
	}
	if i.has("the dead are not handled") {
		return nil
	}
	it.ID, it.attempts, it.due = "", it.Attempts+1, time.Time{}
	if i.has("a retry starts anew") {
		it.Attempts, it.attempts = 0, 3
	}
	return nil
}
