package signer

import (
	"context"
	"crypto/ed25519"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/spendwindow"
	"github.com/walletfi/walletfi-go/signer/grant"
	"github.com/walletfi/walletfi-go/signing"
	"golang.org/x/time/rate"
)

// Config says what a Signer works with. All but one of Store and Shared, Keys, Seed, Prices, Clock, Asked, Accept
// and Approvals are required.
type Config struct {
	Policy *Policy
	// Store is the path of the SQLite file, which is created if it is not there. One process
	// has it at a time.
	Store string
	// Shared is a PostgreSQL database in place of Store, which several signers of one policy share, with
	// the same keys: each counts what the others have signed. Open it with package signer/postgres, as it
	// must speak this package's SQL; the Signer closes it.
	Shared *sql.DB
	// Anchor is the path of a file outside of the store's backups that has the newest entry
	// of the log. A store that is older than it was restored, and freezes.
	Anchor string
	// LogKey signs the entries of the log.
	LogKey ed25519.PrivateKey
	// Keys are the keys of the policy's owners: see package signing, AgeKeys and AgentKeys.
	Keys []signing.Signer
	// Seed is a key that is no owner's, of which the keys of owners are derived that clients make
	// under a template of the policy. It must sign the same message the same each time, as
	// ed25519 does. Nil makes none.
	Seed signing.Signer
	// Nodes are the signer's own.
	Nodes []Node
	// Prices are sources of prices, of which the policy names some: see Pricing.
	Prices []Prices
	// Clock is the process's clock. Nil is real time.
	Clock walletfi.Clock
	// Asked is told of each grant that a client asks for, so that approvers hear of it. It must not
	// wait. Nil tells no one.
	Asked func(grant.Grant)
	// Accept is the fingerprint of a policy that takes the place of the store's. Empty
	// accepts none: with another policy than the store's nothing is signed.
	Accept string
	// Approvals are signatures of the change to that policy, if the one before has approvers: see
	// grant.Change.
	Approvals []string
}

// Mode says what a Signer still signs.
type Mode string

// The modes.
const (
	ModeOpen   Mode = "open"
	ModeFrozen Mode = "frozen" // nothing
	ModeExit   Mode = "exit"   // what goes to the policy's rescue addresses and calls no pinned program
)

// Signer decides and signs. It is safe for concurrent use.
type Signer struct {
	policy   atomic.Pointer[Policy] // with the owners that were made
	db       *sql.DB
	logKey   ed25519.PrivateKey
	keys     map[signing.PublicKey]signing.Signer // by owner
	nodes    []Node
	guards   map[signing.PublicKey]*signing.Guard // likewise
	guardsOf *Policy                              // that the guards are of
	seed     signing.Signer                       // nil if no owners are made
	making   sync.Mutex                           // held by who makes an owner
	madeAt   map[string][]time.Time               // when owners of a template were made
	granting sync.Mutex                           // held by who asks for a grant or decides on one
	grants   []*pending                           // of which a client may have some signed under
	counts   counts                               // of passkeys; changed with deciding held
	asked    func(grant.Grant)                    // Config.Asked
	inForce  atomic.Pointer[inForce]              // never nil
	clients  map[string]*asking                   // by name
	keeper   *spendwindow.Keeper
	clock    walletfi.Clock
	prices   []*askedPrices // of the policy's sources

	settling  sync.Mutex     // held by Settle
	settles   int            // how many there were
	provedIn  map[string]int // in which of them a proof was asked for, by open message
	compareAt time.Time      // when balances are compared again
	balances  comparison
	histories map[signing.PublicKey]*history // of the owners

	freezes    atomic.Int64 // how often something was frozen: what is being signed then does not leave
	deciding   sync.Mutex   // held by whoever writes to the store
	head       head
	written    []Entry // by the transaction that is being written
	server     *server // nil if no other signer shares the store
	anchor     string
	anchorFile *os.File
	anchored   int64
	tally      tally
	reserve    string // the file that keeps room for a freeze
	copying    sync.Mutex
	copy       string // the file that Backup makes, and removes
	stopped    *stop  // set while there is no room
	broken     error  // of a write that may or may not be in the store

	mu      sync.Mutex
	genesis map[string]string // by node
	hashes  map[string]*walletfi.Evidence
	final   walletfi.Head
}

// asking is one client's turn and rate.
type asking struct {
	*Client
	rate     *rate.Limiter
	waiting  chan struct{}
	told     *rate.Limiter // refusals that get an entry of their own
	unlogged atomic.Int64  // refusals without one
}

// The bounds of one client.
const (
	maxWaiting      = 16 // requests at once
	refusalsAtOnce  = 20
	maxTransactions = 16
)

// storeTimeout bounds a write, which the client's context does not end.
const storeTimeout = 10 * time.Second

// Open opens the store and takes up where it was left. Close the Signer at the end. The
// error answers to ErrAltered if the log or the store is not as it was written. A store that
// is older than its anchor, or that Backup made, is opened, and frozen.
func Open(ctx context.Context, cfg Config) (*Signer, error) {
	s := &Signer{
		logKey: cfg.LogKey, seed: cfg.Seed, nodes: cfg.Nodes, anchor: cfg.Anchor, clock: cfg.Clock, asked: cfg.Asked,
		db: cfg.Shared, clients: map[string]*asking{}, madeAt: map[string][]time.Time{},
		keys:      map[signing.PublicKey]signing.Signer{},
		histories: map[signing.PublicKey]*history{}, counts: counts{},
		genesis: map[string]string{}, hashes: map[string]*walletfi.Evidence{},
	}
	s.tally.decisions, s.tally.keys.Up, s.tally.began = map[string]int64{}, true, walletfi.Now(cfg.Clock)
	if err := s.check(cfg); err != nil {
		return nil, err
	}
	s.policy.Store(cfg.Policy)
	s.inForce.Store(&inForce{})
	for i := range cfg.Policy.Clients {
		c := &cfg.Policy.Clients[i]
		s.clients[c.Name] = &asking{
			Client: c, rate: rate.NewLimiter(rate.Limit(c.Rate), c.Rate), waiting: make(chan struct{}, maxWaiting),
			told: rate.NewLimiter(1, refusalsAtOnce),
		}
	}
	if cfg.Shared != nil {
		s.server = &server{serverClock: serverClock{process: cfg.Clock}}
		s.clock = s.server
	} else {
		db, err := openStore(ctx, cfg.Store)
		if err != nil {
			return nil, err
		}
		s.db, s.reserve, s.copy = db, cfg.Store+".reserve", cfg.Store+".copy"
	}
	if err := errors.Join(s.setAside(), s.begin(ctx, cfg)); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *Signer) check(cfg Config) error {
	switch {
	case cfg.Policy == nil || cfg.Policy.fingerprint == "":
		return errors.New("signer: a policy of LoadPolicy is required")
	case (cfg.Store == "") == (cfg.Shared == nil) || cfg.Anchor == "":
		return errors.New("signer: a store and the path of its anchor are required")
	case len(cfg.LogKey) != ed25519.PrivateKeySize:
		return errors.New("signer: the key of the log is required")
	case len(cfg.Nodes) == 0:
		return errors.New("signer: a node is required")
	}
	ids := s.ids()
	slices.Sort(ids)
	if len(slices.Compact(ids)) != len(cfg.Nodes) {
		return errors.New("signer: two nodes are the same one")
	}
	for _, key := range cfg.Keys {
		o := cfg.Policy.owner(key.PublicKey().String())
		if o == nil {
			return fmt.Errorf("signer: the key %s is not an owner of the policy", key.PublicKey())
		}
		s.keys[o.Key] = key
	}
	for _, o := range cfg.Policy.Owners {
		if s.keys[o.Key] == nil && !o.Closed {
			return fmt.Errorf("signer: the key of owner %q, %s, is not among the keys", o.Name, o.Key)
		}
	}
	return s.sources(cfg)
}

// readLog checks the log, and takes in what is in it. It reports whether it is older than its anchor.
func (s *Signer) readLog(ctx context.Context) (older bool, err error) {
	tx, err := snapshot(ctx, s.db, s.server != nil)
	if err != nil {
		return false, err
	}
	defer func() { _ = tx.Rollback() }() // nothing was written
	if s.server != nil {
		if _, err := s.server.ask(ctx, tx); err != nil {
			return false, err
		}
	}
	s.head, err = audit(ctx, tx, s.anchor, s.logKey.Public().(ed25519.PublicKey))
	older = errors.Is(err, errOlder) || s.server != nil && errors.Is(err, errOther)
	if err != nil && !older {
		return false, err
	}
	stored, err := getMeta(ctx, tx, "time")
	if err != nil {
		return false, err
	}
	ns, _ := strconv.ParseInt(stored, 10, 64)
	s.keeper = spendwindow.NewKeeper(s.clock, time.Unix(0, ns))
	return older, each(ctx, tx, 0, math.MaxInt64, func(e Entry) error { return s.recall(ctx, e) })
}

// begin checks the log and writes that the signer was opened.
func (s *Signer) begin(ctx context.Context, cfg Config) error {
	older, err := s.readLog(ctx)
	if err != nil {
		return err
	}
	return s.write(ctx, func(ctx context.Context, tx *sql.Tx, after head) (head, error) {
		was, err := getMeta(ctx, tx, "policy")
		if err != nil {
			return after, err
		}
		copied, err := isCopy(ctx, tx)
		if err != nil {
			return after, err
		}
		if older || copied { // in the transaction that moves the anchor, and before a change is approved
			if after, err = s.restore(ctx, tx, after, restored); err != nil {
				return after, err
			}
		}
		is := s.Policy().fingerprint
		in := s.inForce.Load()
		textless := was == is && in.entry > 0 && in.from == nil
		if was == "" || was != is && cfg.Accept == is || textless {
			entry := policyEntry{Was: was, Is: is, Text: cfg.Policy.text}
			if !textless {
				if err := s.approvedChange(&entry, cfg); err != nil {
					return after, err
				}
			}
			if err := setMeta(ctx, tx, "policy", is); err != nil {
				return after, err
			}
			if after, err = s.append(ctx, tx, after, "policy", "", entry); err != nil {
				return after, err
			}
			s.counts.note(entry.Approvals...)
			s.inForce.Store(in.then(after.seq, s.time(), cfg.Policy))
			s.voidGrants()
			if err := s.beaten(ctx, tx); err != nil {
				return after, err
			}
			if after, err = s.loseAgain(ctx, tx, after, s.Policy().lost()); err != nil {
				return after, err
			}
		}
		return s.append(ctx, tx, after, "open", "", map[string]string{"policy": is})
	})
}

// Close ends the Signer. Its store can be opened again.
func (s *Signer) Close() error {
	s.logUnlogged(context.Background())
	var err error
	if s.anchorFile != nil {
		err = s.anchorFile.Close()
	}
	return errors.Join(err, s.db.Close())
}

// Policy is the signer's policy with the owners that were made. It must not be changed.
func (s *Signer) Policy() *Policy { return s.policy.Load() }

// time is the signer's time.
func (s *Signer) time() time.Time { return s.keeper.Now() }

// write runs a transaction that ends with entries of the log, and moves the anchor.
func (s *Signer) write(ctx context.Context, f func(context.Context, *sql.Tx, head) (head, error)) error {
	s.deciding.Lock()
	defer s.deciding.Unlock()
	err := s.ready()
	if err == nil {
		err = s.commit(ctx, f)
	}
	return s.noted(err)
}

// commit is write, for who holds deciding. If it is not known whether a store that is not shared has a
// commit that failed, the signer does nothing more until it is opened again.
func (s *Signer) commit(ctx context.Context, f func(context.Context, *sql.Tx, head) (head, error)) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTimeout)
	defer cancel()
	tx, place, err := s.hold(ctx)
	if s.server != nil && errors.Is(err, errOlder) {
		err = errors.Join(err, s.warn(ctx))
	}
	if err == nil && place != "" {
		err = s.finish(ctx, tx, func(ctx context.Context, tx *sql.Tx, after head) (head, error) {
			return s.move(ctx, tx, after, place)
		})
		if err == nil {
			tx, _, err = s.hold(ctx)
		}
	}
	if err != nil {
		return err
	}
	return s.finish(ctx, tx, f)
}

// finish runs f in a transaction and commits it.
func (s *Signer) finish(
	ctx context.Context, tx *sql.Tx, f func(context.Context, *sql.Tx, head) (head, error),
) (err error) {
	next := s.head
	s.written = nil
	if s.stopped != nil {
		next, err = s.append(ctx, tx, next, "full", "", s.stopped)
	}
	if err == nil {
		next, err = f(ctx, tx, next)
	}
	if err == nil {
		err = setMeta(ctx, tx, "time", strconv.FormatInt(s.time().UnixNano(), 10))
	}
	if err != nil {
		return errors.Join(err, tx.Rollback())
	}
	if err := tx.Commit(); err != nil {
		if s.server != nil { // who holds the store next reads what became of it
			return err
		}
		if newest, unknown := s.newest(ctx); isFull(err) && unknown == nil && newest == s.head {
			return err
		}
		s.broken = fmt.Errorf("signer: the store may or may not have taken a write, open it again: %w", err)
		return s.broken
	}
	s.head, s.stopped = next, nil
	if err := s.recallGrants(ctx); err != nil {
		return err
	}
	if err := s.drop(next); err != nil {
		return fmt.Errorf("signer: the anchor: %w", err)
	}
	s.tally.wrote(s.time())
	return nil
}
