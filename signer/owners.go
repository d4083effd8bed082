package signer

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ed25519"
	"crypto/hkdf"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/spendwindow"
	"github.com/walletfi/walletfi-go/signer/protocol"
	"github.com/walletfi/walletfi-go/signing"
)

// Template says what the owners may do that a client makes at run time: see Signer.MakeOwner.
type Template struct {
	Name string `toml:"name"`
	// Most is how many owners there may be of it, and Made the most that may be made within
	// any time of a length.
	Most int64   `toml:"most"`
	Made []Limit `toml:"made"`
	// Ceilings and Exposure are those of each of its owners.
	Ceilings []Ceiling  `toml:"ceiling"`
	Exposure []Exposure `toml:"exposure"`
	// Sum bounds what leaves all of them together. Each mint with a ceiling must have one.
	// Its Transaction is not used.
	Sum []Ceiling `toml:"sum"`
}

// ofTemplate is the payee of debits that count under the sum of a template.
const ofTemplate = "template:"

// maxOwners bounds the owners of a template: the guard of each knows the keys of all.
const maxOwners = 5000

func (c *checker) template(t Template) {
	where := fmt.Sprintf("template %q", t.Name)
	c.that(t.Most >= 1 && t.Most <= maxOwners, "%s: most is 1 to %d owners, not %d", where, maxOwners, t.Most)
	c.that(len(t.Made) > 0, "%s has no window of how many owners may be made", where)
	c.limits(where+": made", t.Made)
	c.that(!slices.ContainsFunc(t.Made, func(l Limit) bool { return l.Unapproved != nil }),
		"%s: made: no grant allows owners", where)
	c.bounds(where, t.Ceilings, t.Exposure)
	c.ceilings(where+": sum", t.Sum)
	for _, x := range t.Ceilings {
		c.that(len(ceiling(t.Sum, x.Mint).Windows) > 0, "%s: %s has a ceiling and no sum", where, x.Mint)
	}
}

func (p *Policy) template(name string) *Template {
	return first(p.Templates, func(t Template) bool { return t.Name == name })
}

// with is the policy with an owner more.
func (p *Policy) with(e madeEntry) *Policy {
	o := Owner{Name: e.Name, Key: e.Key, Elsewhere: e.Sealed != nil, template: e.Template}
	if t := p.template(e.Template); t != nil { // else a later policy has none: nothing leaves
		o.Ceilings, o.Exposure = t.Ceilings, t.Exposure
	}
	next := *p
	next.Owners = append(slices.Clip(p.Owners), o)
	next.index()
	return &next
}

// index finds owners by their keys and multisigs.
func (p *Policy) index() {
	p.byKey = make(map[string]*Owner, len(p.Owners))
	for i := range p.Owners {
		for _, k := range append(slices.Clip(p.Owners[i].Multisigs), p.Owners[i].Key) {
			p.byKey[k.String()] = &p.Owners[i]
		}
	}
}

func (p *Policy) owner(key string) *Owner { return p.byKey[key] }

// madeEntry is the body of an entry of kind owner. The log alone says which owners were made.
type madeEntry struct {
	Name     string            `json:"name"`
	Template string            `json:"template"`
	Key      signing.PublicKey `json:"key"`
	Sealed   []byte            `json:"sealed,omitempty"` // the key, if it was imported: see secretOf
}

// seedText is signed by Config.Seed: of the signature the keys of owners are derived.
const seedText = "walletfi-signer: the seed of the owners that are made at run time, version 1"

// errNoSeed is of a signer that makes no owners: their keys are derived from the seed and their
// names alone, so that a store which was lost or restored never gives one owner's key to another.
var errNoSeed = errors.New("signer: owners are made at run time with a Config.Seed alone")

// MakeOwner makes a key within the signer, for a client that the policy gives the template.
// Another call with the same name and template answers the same owner. It can be asked for
// like one of the policy's. The error is always a *signing.SetRefusal.
func (s *Signer) MakeOwner(ctx context.Context, client string, o protocol.NewOwner) (signing.PublicKey, error) {
	c := s.clients[client]
	if c == nil || !slices.Contains(c.Templates, o.Template) {
		return signing.PublicKey{}, refuse(CodeClient, "client %.50q may not make owners of %.50q", client, o.Template)
	}
	s.making.Lock()
	defer s.making.Unlock()
	key, err := s.makeOwner(ctx, c, madeEntry{Name: o.Name, Template: o.Template})
	if err == nil {
		return key, nil
	}
	refusal := asRefusal(err)
	s.logRefusal(ctx, &request{client: c, intent: walletfi.Intent{Owner: o.Name}}, refusal)
	return signing.PublicKey{}, refusal
}

func (s *Signer) makeOwner(ctx context.Context, c *asking, e madeEntry) (signing.PublicKey, error) {
	if !c.rate.Allow() {
		return e.Key, waits(CodeRate, "client %q asks more than %d times a second", c.Name, c.Rate)
	}
	return s.addOwner(ctx, c.Name, e)
}

// addOwner adds an owner unless there is the same already. The key is set if it is imported.
func (s *Signer) addOwner(ctx context.Context, client string, e madeEntry) (signing.PublicKey, error) {
	if e.Name == "" || len(e.Name) > 100 || strings.TrimSpace(e.Name) != e.Name {
		return e.Key, refuse(CodeRequest, "an owner's name has 1 to 100 bytes, without spaces around it")
	}
	if had := first(s.Policy().Owners, func(o Owner) bool { return o.Name == e.Name }); had != nil {
		if had.template != e.Template || e.Sealed != nil && had.Key != e.Key {
			return e.Key, refuse(CodeRequest, "there is an owner %q, of another template or with another key", e.Name)
		}
		return had.Key, nil
	}
	key, err := s.secretOf(ctx, e)
	if err != nil {
		return e.Key, waits(CodeBackend, "%v", err)
	}
	e.Key = key.PublicKey()
	if had := s.Policy().owner(e.Key.String()); had != nil {
		return e.Key, refuse(CodeRequest, "the key of owner %q is that of owner %q", e.Name, had.Name)
	}
	err = s.write(ctx, func(ctx context.Context, tx *sql.Tx, after head) (head, error) {
		if err := s.permitted(ctx, tx, &request{}); err != nil {
			return after, err
		}
		same := func(o Owner) bool { return o.Name == e.Name || o.Key == e.Key }
		if had := first(s.Policy().Owners, same); had != nil { // which another signer has made meanwhile
			if had.Name != e.Name || had.Key != e.Key || had.template != e.Template {
				return after, refuse(CodeRequest, "there is an owner %q, of another template or with another key", had.Name)
			}
			return after, nil
		}
		if err := s.room(s.Policy().template(e.Template), e.Sealed != nil); err != nil {
			return after, err
		}
		t := s.Policy().template(e.Template)
		if after, err = s.loseAgain(ctx, tx, after, filled(e.Key.String(), "", t.Ceilings)); err != nil {
			return after, err
		}
		return s.append(ctx, tx, after, "owner", client, e)
	})
	if err == nil {
		s.holds(e, key, s.time())
	}
	return e.Key, err
}

// room refuses one owner more than a template allows.
func (s *Signer) room(t *Template, imported bool) error {
	made := s.madeAt[t.Name]
	if int64(len(made)) >= t.Most {
		return refuse(CodeCeiling, "template %q has its %d owners", t.Name, t.Most)
	}
	if imported {
		return nil
	}
	now := s.time()
	for _, w := range t.Made {
		since := spendwindow.Since(now, time.Duration(w.Length))
		count := len(slices.DeleteFunc(slices.Clone(made), since.After))
		if int64(count) >= w.Most {
			return waits(CodeWindow, "%d owners of template %q were made within %v", count, t.Name, w.Length)
		}
	}
	return nil
}

// holds takes in an owner that was made. One that was imported is in no window.
func (s *Signer) holds(e madeEntry, key signing.Signer, at time.Time) {
	if e.Sealed != nil {
		at = time.Time{}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Policy().owner(e.Key.String()) != nil {
		return
	}
	s.policy.Store(s.Policy().with(e))
	s.keys[e.Key] = key
	s.madeAt[e.Template] = append(s.madeAt[e.Template], at)
}

// recallOwner takes in an owner that was made before, or by another signer.
func (s *Signer) recallOwner(ctx context.Context, entry Entry) error {
	var e madeEntry
	if err := json.Unmarshal(entry.Body, &e); err != nil {
		return err
	}
	key, err := s.secretOf(ctx, e)
	if err == nil && key.PublicKey() != e.Key {
		err = fmt.Errorf("signer: Config.Seed is not the one that owner %q was made of", e.Name)
	}
	if err != nil {
		return err
	}
	s.holds(e, key, entry.At)
	return nil
}

// ImportedKey is a key that was elsewhere before, such as in the database of a backend. A file of
// the command import has one a line, as JSON, and is encrypted by age.
type ImportedKey struct {
	// Name is the owner's, as in protocol.NewOwner.
	Name string `json:"name"`
	// Seed are the 32 bytes of the private key, base64 in JSON.
	Seed []byte `json:"seed"`
}

// ImportOwner takes in an owner of a template with a key that was elsewhere before. It is told of
// as such, and counts under the template's Most but not under Made. The key is in the log,
// encrypted by one that is derived from Config.Seed: a backup of both has it. Another call with
// the same key answers the same. The error is always a *signing.SetRefusal.
func (s *Signer) ImportOwner(ctx context.Context, template string, k ImportedKey) (signing.PublicKey, error) {
	if s.Policy().template(template) == nil || len(k.Seed) != ed25519.SeedSize {
		return signing.PublicKey{}, refuse(CodeRequest,
			"there is no template %.50q, or the key of owner %.50q has not %d bytes", template, k.Name, ed25519.SeedSize)
	}
	private := ed25519.NewKeyFromSeed(k.Seed)
	defer clear(private)
	e := madeEntry{Name: k.Name, Template: template, Key: signing.PublicKey(private.Public().(ed25519.PublicKey))}
	seal, err := s.seal(ctx)
	if err != nil {
		return e.Key, waits(CodeBackend, "%v", err)
	}
	e.Sealed = seal.Seal(nil, nil, k.Seed, e.bound())
	s.making.Lock()
	defer s.making.Unlock()
	if key, err := s.addOwner(ctx, "", e); err != nil {
		return key, asRefusal(err)
	}
	return e.Key, nil
}

// bound ties a sealed key to its owner: it opens with nothing else.
func (e *madeEntry) bound() []byte { return fmt.Appendf(nil, "%s %s", e.Key, e.Name) }

// seal encrypts keys that were elsewhere before, with random nonces.
func (s *Signer) seal(ctx context.Context) (cipher.AEAD, error) {
	key, err := s.derived(ctx, "sealed owners")
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}

// secretOf is the key of an owner that was made or imported.
func (s *Signer) secretOf(ctx context.Context, e madeEntry) (*signing.LocalKey, error) {
	if e.Sealed == nil {
		raw, err := s.derived(ctx, "owner "+e.Name)
		if err != nil {
			return nil, err
		}
		return signing.NewLocalKeyFromSeed(raw)
	}
	seal, err := s.seal(ctx)
	if err != nil {
		return nil, err
	}
	raw, err := seal.Open(nil, nil, e.Sealed, e.bound())
	if err != nil {
		return nil, fmt.Errorf("signer: Config.Seed is not the one that owner %q was imported under", e.Name)
	}
	defer clear(raw)
	return signing.NewLocalKeyFromSeed(raw)
}

// derived has 32 bytes that only the seed yields, for one purpose.
func (s *Signer) derived(ctx context.Context, purpose string) ([]byte, error) {
	if s.seed == nil {
		return nil, errNoSeed
	}
	seed, err := signOnce(ctx, s.seed, []byte(seedText))
	if err != nil {
		return nil, err
	}
	return hkdf.Key(sha256.New, seed[:], nil, purpose, ed25519.SeedSize)
}
