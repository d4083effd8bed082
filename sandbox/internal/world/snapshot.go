package world

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/walletfi/walletfi-go/sandbox/internal/dialect"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
	"github.com/walletfi/walletfi-go/sandbox/internal/node"
	"github.com/walletfi/walletfi-go/sandbox/internal/snapshot"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// state describes what a snapshot of a world has.
func state(w *World) snapshot.State {
	core, chain := &kit.Core{}, (*ledger.Ledger)(nil)
	if w.Chain != nil {
		core, chain = w.Core, w.Ledger
	}
	roots := append(core.Roots(), w.Chain, chain, w.Pools, w.Lending, w.SmartAccount, w.Leverage, w.PredictMeta, w.Swap,
		w.AMM, w.ProviderSwap, w.BurnClose, w.onchainData, w.SocialSearch, w.Webhooks)
	for _, s := range w.Sockets {
		roots = append(roots, s)
	}
	for _, n := range w.nodes {
		roots = append(roots, n)
	}
	for _, d := range w.dialects {
		roots = append(roots, d)
	}
	return snapshot.State{Roots: roots, Left: left}
}

// whole has every type of a snapshot, those of a node, a dialect and the settings too.
func whole() snapshot.State {
	s := state(&World{
		Sockets: make([]*node.Socket, 1), nodes: make([]*node.Handler, 1), dialects: []kit.Dialect{dialect.Root},
	})
	s.Roots = append(s.Roots, &settings{})
	return s
}

// settings are the head of a snapshot.
type settings struct {
	Config     play.Config // without what left excepts
	Deployment string      // a hash, empty if there is none
}

func (s *settings) state() snapshot.State { return snapshot.State{Roots: []any{s}, Left: left} }

// settingsOf are those of a configuration.
func settingsOf(c play.Config) (*settings, error) {
	s := &settings{Config: c}
	if c.Deployment != nil {
		raw, err := json.Marshal(c.Deployment)
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(raw)
		s.Deployment = hex.EncodeToString(sum[:])
	}
	return s, nil
}

// opened reads the settings of a snapshot. body has its state.
func opened(raw []byte) (s *settings, body []byte, err error) {
	head, body, err := snapshot.Unseal(whole().Form(), raw)
	if err != nil {
		return nil, nil, err
	}
	s = &settings{}
	commit, err := s.state().Read(head)
	if err == nil {
		commit()
	}
	return s, body, err
}

// over puts the snapshot's settings into a configuration. If it is strict, it refuses one
// that has other settings.
func (s *settings) over(c play.Config, strict bool) (play.Config, error) {
	own, err := settingsOf(c)
	if err != nil {
		return c, err
	}
	if own.Deployment != s.Deployment {
		return c, errors.New("the snapshot was taken with another Deployment")
	}
	if strict && c.Start.Equal(s.Config.Start) {
		c.Start = s.Config.Start // whatever its zone
	}
	from, into := reflect.ValueOf(s.Config), reflect.ValueOf(&c).Elem()
	for i := range from.NumField() {
		name := from.Type().Field(i).Name
		if _, own := left["play.Config."+name]; own {
			continue
		}
		had, has := into.Field(i), from.Field(i)
		if strict && isSet(had) && !reflect.DeepEqual(had.Interface(), has.Interface()) {
			return c, fmt.Errorf("the snapshot has another Config.%s", name)
		}
		had.Set(has)
	}
	return c, nil
}

func isSet(v reflect.Value) bool {
	if v.Kind() == reflect.Map || v.Kind() == reflect.Slice {
		return v.Len() > 0
	}
	return !v.IsZero()
}

// Snapshot returns the whole state.
func (w *World) Snapshot() ([]byte, error) {
	w.Lock()
	defer w.Unlock()
	if err := w.Still(); err != nil {
		return nil, err
	}
	own, err := settingsOf(w.Config)
	if err != nil {
		return nil, err
	}
	head, err := own.state().Write()
	if err != nil {
		return nil, err
	}
	defer w.SetAside()()
	body, err := state(w).Write()
	if err != nil {
		return nil, err
	}
	return snapshot.Seal(whole().Form(), head, body), nil
}

// Restore makes the whole state that of a snapshot, behind the same listeners, and hands on
// what has it. If it fails, nothing has changed.
func (w *World) Restore(raw []byte, take func(*World)) error {
	w.Lock()
	defer w.Unlock()
	s, body, err := opened(raw)
	if err != nil {
		return err
	}
	c, err := s.over(w.Config, false)
	if err != nil {
		return err
	}
	if err := w.Still(); err != nil {
		return err
	}
	if n := w.NodeCount(); n != kit.NodesOf(c) {
		return fmt.Errorf("the snapshot has %d nodes, the sandbox has %d", kit.NodesOf(c), n)
	}
	if _, err := state(w).Read(body); err != nil { // so that it can be read afterwards
		return err
	}
	next := &World{}
	w.Rewind(func() {
		w.Core.Config = c
		w.Core.Restart()
		if err = next.open(w.Core); err == nil {
			err = next.read(body)
		}
	})
	take(next)
	return err
}

// read makes the state that which was written.
func (w *World) read(body []byte) error {
	commit, err := state(w).Read(body)
	if err == nil {
		commit()
	}
	return err
}
