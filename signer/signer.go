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
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"golang.org/x/time/rate"
)

// Config says what a Signer works with. All but Clock, Accept and Freeze are required.
type Config struct {
	Policy *Policy
	// Store is the path of the SQLite file, which is created if it is not there. One process
	// has it at a time.
	Store string
	// Anchor is the path of a file outside of the store's backups that has the newest entry
	// of the log. A store that is older than it was restored, and freezes.
	Anchor string
	// LogKey signs the entries of the log.
	LogKey ed25519.PrivateKey
	// Keys are the keys of the policy's owners: see package signing, AgeKeys and AgentKeys.
	Keys []signing.Signer
	// Nodes are the signer's own.
	Nodes []Node
	// Clock is the process's clock. Nil is real time.
	Clock walletfi.Clock
	// Accept is the fingerprint of a policy that takes the place of the store's. Empty
	// accepts none: with another policy than the store's nothing is signed.
	Accept string
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
	policy  *Policy
	db      *sql.DB
	logKey  ed25519.PrivateKey
	keys    map[signing.PublicKey]signing.Signer // by owner
	nodes   []Node
	guards  map[signing.PublicKey]*signing.Guard // likewise
	clients map[string]*asking                   // by name
	keeper  *timekeeper
	clock   walletfi.Clock

	deciding   sync.Mutex // held by whoever writes to the store
	head       head
	anchor     string
	anchorFile *os.File
	anchored   int64
	broken     error // of a write that may or may not be in the store

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
	mu       sync.Mutex
	unlogged int // refusals without one
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
// is older than its anchor is opened, and frozen.
func Open(ctx context.Context, cfg Config) (*Signer, error) {
	s := &Signer{
		policy: cfg.Policy, logKey: cfg.LogKey, nodes: cfg.Nodes, anchor: cfg.Anchor, clock: cfg.Clock,
		keys: map[signing.PublicKey]signing.Signer{}, guards: map[signing.PublicKey]*signing.Guard{},
		clients: map[string]*asking{},
		genesis: map[string]string{}, hashes: map[string]*walletfi.Evidence{},
	}
	if err := s.check(cfg); err != nil {
		return nil, err
	}
	for i := range cfg.Policy.Owners {
		s.guards[cfg.Policy.Owners[i].Key] = signing.NewGuard(cfg.Policy.guardOf(&cfg.Policy.Owners[i]))
	}
	for i := range cfg.Policy.Clients {
		c := &cfg.Policy.Clients[i]
		s.clients[c.Name] = &asking{
			Client: c, rate: rate.NewLimiter(rate.Limit(c.Rate), c.Rate), waiting: make(chan struct{}, maxWaiting),
			told: rate.NewLimiter(1, refusalsAtOnce),
		}
	}
	db, err := openStore(ctx, cfg.Store)
	if err != nil {
		return nil, err
	}
	s.db = db
	if err := s.begin(ctx, cfg); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *Signer) check(cfg Config) error {
	switch {
	case cfg.Policy == nil || cfg.Policy.fingerprint == "":
		return errors.New("signer: a policy of LoadPolicy is required")
	case cfg.Store == "" || cfg.Anchor == "":
		return errors.New("signer: the paths of the store and of its anchor are required")
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
		if s.keys[o.Key] == nil {
			return fmt.Errorf("signer: the key of owner %q, %s, is not among the keys", o.Name, o.Key)
		}
	}
	return nil
}

// begin checks the log and writes that the signer was opened.
func (s *Signer) begin(ctx context.Context, cfg Config) error {
	last, err := audit(ctx, s.db, s.anchor, s.logKey.Public().(ed25519.PublicKey))
	older := errors.Is(err, errOlder)
	if err != nil && !older {
		return err
	}
	s.head = last
	stored, err := getMeta(ctx, s.db, "time")
	if err != nil {
		return err
	}
	ns, _ := strconv.ParseInt(stored, 10, 64)
	s.keeper = newTimekeeper(s.clock, time.Unix(0, ns))
	return s.write(ctx, func(ctx context.Context, tx *sql.Tx, after head) (head, error) {
		was, err := getMeta(ctx, tx, "policy")
		if err != nil {
			return after, err
		}
		is := s.policy.fingerprint
		if was == "" || was != is && cfg.Accept == is {
			if err := setMeta(ctx, tx, "policy", is); err != nil {
				return after, err
			}
			if after, err = s.append(ctx, tx, after, "policy", "", map[string]string{"was": was, "is": is}); err != nil {
				return after, err
			}
		}
		if older { // in the transaction that moves the anchor
			reason := "the store is older than its anchor: a copy was restored"
			if after, err = s.switchTo(ctx, tx, after, "signer", ModeFrozen, reason); err != nil {
				return after, err
			}
		}
		return s.append(ctx, tx, after, "open", "", map[string]string{"policy": is})
	})
}

// Close ends the Signer. Its store can be opened again.
func (s *Signer) Close() error {
	var err error
	if s.anchorFile != nil {
		err = s.anchorFile.Close()
	}
	return errors.Join(err, s.db.Close())
}

// Policy is the signer's policy, which must not be changed.
func (s *Signer) Policy() *Policy { return s.policy }

// time is the signer's time.
func (s *Signer) time() time.Time { return s.keeper.now() }

// write runs a transaction that ends with entries of the log, and moves the anchor. If the
// commit fails, it may be in the store all the same: the signer then does nothing more until
// it is opened again.
func (s *Signer) write(ctx context.Context, f func(context.Context, *sql.Tx, head) (head, error)) error {
	s.deciding.Lock()
	defer s.deciding.Unlock()
	if s.broken != nil {
		return s.broken
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTimeout)
	defer cancel()
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	next, err := f(ctx, tx, s.head)
	if err == nil {
		err = setMeta(ctx, tx, "time", strconv.FormatInt(s.time().UnixNano(), 10))
	}
	if err != nil {
		return errors.Join(err, tx.Rollback())
	}
	if err := tx.Commit(); err != nil {
		s.broken = fmt.Errorf("signer: the store may or may not have taken a write, open it again: %w", err)
		return s.broken
	}
	s.head = next
	if err := s.drop(next); err != nil {
		return fmt.Errorf("signer: the anchor: %w", err)
	}
	return nil
}

// Decision says what a Signer decided on a request.
type Decision struct {
	// Signatures are those of the request's transactions, in order; none of Judge.
	Signatures []signing.Signature `json:"signatures,omitempty"`
	Messages   []*Message          `json:"messages"`
}

// signEntry is the body of an entry of kind sign.
type signEntry struct {
	Owner    string     `json:"owner"`
	Service  string     `json:"service"`
	Key      string     `json:"key,omitempty"`
	Messages []*Message `json:"messages"`
}

// refuseEntry is the body of an entry of kind refuse.
type refuseEntry struct {
	Owner    string `json:"owner"`
	Service  string `json:"service"`
	Key      string `json:"key,omitempty"`
	Code     string `json:"code"`
	Text     string `json:"text"`
	Unlogged int    `json:"unlogged,omitzero"` // refusals of the client since the last entry that have none
}

// SignSet judges a request of a client and signs it, all or nothing. The error is always a
// *signing.SetRefusal.
func (s *Signer) SignSet(ctx context.Context, client string, r signing.SetRequest) (*Decision, error) {
	return s.turn(ctx, client, r, s.sign)
}

// Judge says what SignSet would. It counts and signs nothing.
func (s *Signer) Judge(ctx context.Context, client string, r signing.SetRequest) (*Decision, error) {
	return s.turn(ctx, client, r, func(ctx context.Context, q *request) (*Decision, error) {
		if err := s.assessAll(ctx, q); err != nil {
			return nil, err
		}
		err := s.write(ctx, func(ctx context.Context, tx *sql.Tx, after head) (head, error) {
			if err := s.decide(ctx, tx, q); err != nil {
				return after, err
			}
			return after, errJudged
		})
		if errors.Is(err, errJudged) {
			return &Decision{Messages: q.messages}, nil
		}
		return nil, asRefusal(err)
	})
}

var errJudged = errors.New("signer: it was only judged")

// request is one request of a client, as far as it is judged.
type request struct {
	signing.SetRequest
	client   *asking
	owner    *Owner
	intent   walletfi.Intent
	messages []*Message
}

// turn holds a request against the client's rate and rights, and logs a refusal.
func (s *Signer) turn(
	ctx context.Context, name string, r signing.SetRequest, f func(context.Context, *request) (*Decision, error),
) (*Decision, error) {
	c := s.clients[name]
	if c == nil {
		return nil, refuse(CodeClient, "the policy has no client %q", name)
	}
	if !c.rate.Allow() {
		c.count()
		return nil, waits(CodeRate, "client %q asks more than %d times a second", name, c.Rate)
	}
	select {
	case c.waiting <- struct{}{}:
		defer func() { <-c.waiting }()
	default:
		c.count()
		return nil, waits(CodeRate, "client %q has %d requests waiting", name, maxWaiting)
	}
	q := &request{SetRequest: r, client: c, intent: s.policy.narrowed(r.Unsigned.Intent)}
	err := s.admit(q)
	if err == nil {
		var d *Decision
		if d, err = f(ctx, q); err == nil {
			return d, nil
		}
	}
	refusal := asRefusal(err)
	s.logRefusal(ctx, q, refusal)
	return nil, refusal
}

func (c *asking) count() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.unlogged++
}

// asRefusal is a refusal as it is, and any other error as the store's.
func asRefusal(err error) *signing.SetRefusal {
	if refusal, ok := errors.AsType[*signing.SetRefusal](err); ok {
		return refusal
	}
	return waits(CodeStore, "the store did not take it: %v", err)
}

// logRefusal writes an entry, or counts the refusal if the client has had many.
func (s *Signer) logRefusal(ctx context.Context, q *request, refusal *signing.SetRefusal) {
	if !q.client.told.Allow() || refusal.Code == CodeStore {
		q.client.count()
		return
	}
	q.client.mu.Lock()
	unlogged := q.client.unlogged
	q.client.unlogged = 0
	q.client.mu.Unlock()
	text := refusal.Text
	if len(text) > 500 {
		text = text[:500]
	}
	_ = s.write(ctx, func(ctx context.Context, tx *sql.Tx, after head) (head, error) {
		return s.append(ctx, tx, after, "refuse", q.client.Name, refuseEntry{
			Owner: brief(q.intent.Owner), Service: brief(q.intent.Service), Key: brief(q.Key), Code: refusal.Code,
			Text: text, Unlogged: unlogged,
		})
	})
}

// brief bounds what a client has the log keep.
func brief(text string) string { return text[:min(len(text), 100)] }

// admit checks the request's form and the client's rights.
func (s *Signer) admit(q *request) error {
	q.owner = s.policy.owner(q.intent.Owner)
	total := len(q.Unsigned.Transactions)
	switch {
	case q.owner == nil:
		return refuse(CodeClient, "%.50q is not an owner of the policy", q.intent.Owner)
	case !slices.Contains(q.client.Owners, q.owner.Name):
		return refuse(CodeClient, "client %q may not ask for owner %q", q.client.Name, q.owner.Name)
	case !slices.Contains(q.client.Services, q.intent.Service):
		return refuse(CodeClient, "client %q may not ask for service %.50q", q.client.Name, q.intent.Service)
	case total == 0 || total > maxTransactions:
		return refuse(CodeRequest, "a set has 1 to %d transactions, not %d", maxTransactions, total)
	case q.First < 0 || q.Count < 1 || q.Count > total || q.First > total-q.Count:
		return refuse(CodeRequest, "there are no %d transactions from index %d on in a set of %d", q.Count, q.First, total)
	case q.Grant != "":
		return refuse(CodeRequest, "this signer knows no grants")
	case len(q.Key) > 200:
		return refuse(CodeRequest, "the payment's key is longer than 200 bytes")
	}
	return nil
}

// assessAll judges each transaction of the request.
func (s *Signer) assessAll(ctx context.Context, q *request) error {
	for i, encoded := range q.Unsigned.Transactions[q.First : q.First+q.Count] {
		tx, err := signing.Decode(encoded)
		if err != nil {
			return refuse(CodeRequest, "%v", err)
		}
		m, err := s.assess(ctx, q, tx, q.First+i > 0)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(q.messages, func(x *Message) bool { return x.ID == m.ID }) {
			return refuse(CodeRequest, "two transactions of the set are the same")
		}
		q.messages = append(q.messages, m)
	}
	return nil
}

// sign decides, signs, and writes the signatures. What is counted when a signature fails
// stays counted.
func (s *Signer) sign(ctx context.Context, q *request) (*Decision, error) {
	if err := s.assessAll(ctx, q); err != nil {
		return nil, err
	}
	err := s.write(ctx, func(ctx context.Context, tx *sql.Tx, after head) (head, error) {
		if err := s.decide(ctx, tx, q); err != nil {
			return after, err
		}
		return s.append(ctx, tx, after, "sign", q.client.Name, signEntry{
			Owner: q.owner.Name, Service: q.intent.Service, Key: q.Key, Messages: q.messages,
		})
	})
	if err != nil {
		return nil, asRefusal(err)
	}
	d := &Decision{Messages: q.messages}
	written := map[string]string{}
	for _, m := range q.messages {
		if m.signature, err = signOnce(ctx, s.keys[q.owner.Key], m.tx.Message()); err != nil {
			return nil, waits(CodeBackend, "%v", err)
		}
		d.Signatures = append(d.Signatures, m.signature)
		written[m.ID] = m.signature.String()
	}
	err = s.write(ctx, func(ctx context.Context, tx *sql.Tx, after head) (head, error) {
		for id, signature := range written {
			if _, err := tx.ExecContext(ctx, "UPDATE signed SET signature = ? WHERE id = ?", signature, id); err != nil {
				return after, err
			}
		}
		return s.append(ctx, tx, after, "signature", q.client.Name, written)
	})
	if err != nil {
		return nil, asRefusal(err)
	}
	return d, nil
}

// Freeze stops signatures at once, or with ModeExit all but those to the rescue addresses.
// It holds in this process even if the store does not take it, which is the error.
func (s *Signer) Freeze(ctx context.Context, who string, mode Mode, reason string) error {
	if mode != ModeFrozen && mode != ModeExit {
		return fmt.Errorf("signer: %q is no mode to freeze into", mode)
	}
	err := s.setMode(ctx, who, mode, reason)
	if err != nil {
		s.deciding.Lock()
		s.broken = errors.Join(s.broken, fmt.Errorf("signer: it is frozen, and the store did not take that: %w", err))
		s.deciding.Unlock()
	}
	return err
}

// Thaw has the signer sign again.
func (s *Signer) Thaw(ctx context.Context, who, reason string) error {
	return s.setMode(ctx, who, ModeOpen, reason)
}

func (s *Signer) setMode(ctx context.Context, who string, mode Mode, reason string) error {
	return s.write(ctx, func(ctx context.Context, tx *sql.Tx, after head) (head, error) {
		return s.switchTo(ctx, tx, after, who, mode, reason)
	})
}

// switchTo writes another mode.
func (s *Signer) switchTo(
	ctx context.Context, tx *sql.Tx, after head, who string, mode Mode, reason string,
) (head, error) {
	kind := "freeze"
	if mode == ModeOpen {
		kind = "thaw"
	}
	if err := setMeta(ctx, tx, "mode", string(mode)); err != nil {
		return after, err
	}
	return s.append(ctx, tx, after, kind, brief(who), map[string]string{"mode": string(mode), "reason": brief(reason)})
}

// mode reads what the signer still signs.
func mode(ctx context.Context, q querier) (Mode, error) {
	value, err := getMeta(ctx, q, "mode")
	if value == "" {
		return ModeOpen, err
	}
	return Mode(value), err
}

// none is the greatest amount that no ceiling allows.
const none = math.MaxInt64
