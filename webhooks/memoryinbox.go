package webhooks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime/debug"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/walletfi/walletfi-go/internal/running"
)

// MemoryInbox is an [Inbox] in memory. A delivery that it holds is lost when the
// process ends, although the service got a 200: use it in tests, and where losing
// a delivery is harmless. The zero value is ready for use.
type MemoryInbox struct {
	// Capacity is how many deliveries it holds, dead ones too. Put fails if it is
	// full. 0 means 10,000.
	Capacity int

	mu      sync.Mutex
	work    InboxWork
	all     map[string]*held // by key
	ready   []*held
	dead    []*held // the one that died first at the beginning
	more    *sync.Cond
	stopped bool
	ids     int

	workers running.Group
	ctx     context.Context // ends when Stop gives up
	cancel  context.CancelFunc
}

// held is a delivery in memory. It is dead if id is not empty.
type held struct {
	StoredDelivery
	failures  int
	id, cause string
	diedAt    time.Time
}

var (
	errInboxFull    = errors.New("webhooks: the inbox is full")
	errInboxStopped = errors.New("webhooks: the inbox is not started or was stopped")
	errInboxStarted = errors.New("webhooks: the inbox was started before")
)

// Start starts the workers.
func (m *MemoryInbox) Start(work InboxWork) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.more != nil {
		return errInboxStarted
	}
	m.work, m.all, m.more = work, map[string]*held{}, sync.NewCond(&m.mu)
	m.ctx, m.cancel = context.WithCancel(context.Background())
	for range work.Workers {
		m.workers.Go(m.run)
	}
	return nil
}

// Put holds d.
func (m *MemoryInbox) Put(_ context.Context, d StoredDelivery) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case m.more == nil || m.stopped:
		return errInboxStopped
	case m.all[d.Key] != nil:
		return nil
	case len(m.all) >= cmp.Or(m.Capacity, 10_000):
		return errInboxFull
	}
	d.Body = slices.Clone(d.Body)
	h := &held{StoredDelivery: d}
	m.all[d.Key] = h
	m.queue(h)
	return nil
}

func (m *MemoryInbox) queue(h *held) {
	m.ready = append(m.ready, h)
	m.more.Signal()
}

func (m *MemoryInbox) run() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for {
		for len(m.ready) == 0 && !m.stopped {
			m.more.Wait()
		}
		if len(m.ready) == 0 || m.ctx.Err() != nil {
			return
		}
		h := m.ready[0]
		m.ready = m.ready[1:]
		m.mu.Unlock()
		err := m.handle(h)
		m.mu.Lock()
		m.done(h, err)
	}
}

func (m *MemoryInbox) handle(h *held) (err error) {
	ctx, cancel := context.WithTimeout(m.ctx, m.work.Timeout)
	defer cancel()
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("webhooks: the handler panicked: %v\n%s", p, debug.Stack())
		}
	}()
	d := h.StoredDelivery
	d.Body = slices.Clone(d.Body)
	return m.work.Handle(ctx, d, h.failures)
}

// done notes what became of a delivery.
func (m *MemoryInbox) done(h *held, err error) {
	if err == nil {
		delete(m.all, h.Key)
		return
	}
	h.cause = err.Error()
	if h.failures++; h.failures < m.work.Attempts {
		time.AfterFunc(m.work.Wait(h.failures), func() {
			m.mu.Lock()
			defer m.mu.Unlock()
			m.queue(h)
		})
		return
	}
	m.ids++
	h.id, h.diedAt = strconv.Itoa(m.ids), time.Now()
	m.dead = append(m.dead, h)
}

// Stop handles what is ready. What waits for its next attempt is lost, and counted
// by the error.
func (m *MemoryInbox) Stop(ctx context.Context) error {
	m.mu.Lock()
	started := m.more != nil
	if m.stopped = true; started {
		m.more.Broadcast()
	}
	m.mu.Unlock()
	if !started {
		return nil
	}
	done := make(chan struct{})
	go func() { m.workers.Wait(); close(done) }()
	var err error
	select {
	case <-done:
	case <-ctx.Done():
		err = ctx.Err()
	}
	m.cancel()
	m.mu.Lock()
	defer m.mu.Unlock()
	if left := len(m.all) - len(m.dead); left > 0 {
		err = errors.Join(err, fmt.Errorf("webhooks: %d deliveries in memory are lost", left))
	}
	return err
}

// Dead yields the dead deliveries.
func (m *MemoryInbox) Dead(context.Context) iter.Seq2[DeadDelivery, error] {
	return func(yield func(DeadDelivery, error) bool) {
		m.mu.Lock()
		all := make([]DeadDelivery, len(m.dead))
		for i, h := range m.dead {
			all[i] = h.told()
		}
		m.mu.Unlock()
		for _, d := range all {
			if !yield(d, nil) {
				return
			}
		}
	}
}

func (h *held) told() DeadDelivery {
	d := DeadDelivery{StoredDelivery: h.StoredDelivery, ID: h.id, Attempts: h.failures, Cause: h.cause, DiedAt: h.diedAt}
	d.Body = slices.Clone(d.Body)
	return d
}

// GetDead returns a dead delivery.
func (m *MemoryInbox) GetDead(_ context.Context, id string) (DeadDelivery, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, h := range m.dead {
		if h.id == id {
			return h.told(), nil
		}
	}
	return DeadDelivery{}, ErrNotDead
}

// RetryDead has a dead delivery handled once more.
func (m *MemoryInbox) RetryDead(_ context.Context, id string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i, h := range m.dead {
		if h.id == id {
			m.dead = slices.Delete(m.dead, i, i+1)
			h.id = "" // its failures stay: it dies of the next one
			m.queue(h)
			return nil
		}
	}
	return ErrNotDead
}
