package takeover

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signer/protocol"
)

func (a *attacker) reopen(store string) {
	require.NoError(a.t, a.r.s.Close())
	a.r.store = store
	a.r.open(a.t)
	a.forgive()
	a.n.restores++
}

// kill ends the signer: after it closed, at once, or while it signs; and has a new one go on
// from what is in the files.
func (a *attacker) kill() {
	a.n.kills++
	if a.d.in(3) {
		a.reopen(a.r.store)
		return
	}
	var store string
	copied := func() error {
		s, err := a.r.image()
		if err != nil {
			return err
		}
		store = s
		return copyFile(a.r.anchor, store+".anchor")
	}
	switch a.d.n(3) {
	case 0:
		require.NoError(a.t, copied())
	case 1: // after the count, before the signature
		once := false
		*a.r.hook = func() error {
			if !once {
				once = true
				require.NoError(a.t, copied())
			}
			return errors.New("killed")
		}
		a.ask()
	default: // after the signature, which the client got by another way
		*a.r.hook = func() error { return copied() }
		a.ask()
	}
	*a.r.hook = nil
	if store == "" {
		return // it signed nothing
	}
	a.harvest()
	require.NoError(a.t, a.r.s.Close())
	require.NoError(a.t, copyFile(store+".anchor", a.r.anchor))
	a.r.store = store
	a.r.open(a.t)
	a.n.restores++
}

// keep puts a copy of the store aside, to be restored later.
func (a *attacker) keep() {
	store, err := a.r.image()
	require.NoError(a.t, err)
	h, err := a.r.s.Health(context.Background())
	require.NoError(a.t, err)
	require.NoError(a.t, copyFile(a.r.anchor, store+".anchor"))
	a.old = append(a.old, image{store, h.Entries})
}

// restore puts an old copy in the place of the store: the signer has to notice, also when it
// is started once more, and so has the audit. Then the newest one comes back.
func (a *attacker) restore() {
	ctx := context.Background()
	h, err := a.r.s.Health(ctx)
	require.NoError(a.t, err)
	older := slices.DeleteFunc(slices.Clone(a.old), func(o image) bool { return o.entries >= h.Entries })
	if len(older) == 0 {
		return
	}
	a.harvest()
	was := older[a.d.n(len(older))]
	newest, anchor := a.r.store, a.r.anchor
	stopped := a.stop
	require.NoError(a.t, a.r.s.Close())
	a.r.copies++
	a.r.store = fmt.Sprint(was.store, ".", a.r.copies)
	for _, end := range []string{"", "-wal"} {
		_ = copyFile(was.store+end, a.r.store+end)
	}
	require.NoError(a.t, copyFile(anchor, anchor+".kept"))
	if a.r.withAnchor {
		require.NoError(a.t, copyFile(was.store+".anchor", anchor))
	}
	public := a.r.logKey.Public()
	if _, err := signer.Audit(ctx, a.r.store, anchor, public.(keyOf)); !errors.Is(err, signer.ErrAltered) {
		a.n.above = append(a.n.above, "an audit takes an old copy for the newest")
	}
	for range 2 {
		a.r.open(a.t)
		a.n.restores++
		a.stop = true
		for range 1 + a.d.n(2) {
			a.ask()
		}
		a.settle()
		a.harvest()
		require.NoError(a.t, a.r.s.Close())
	}
	a.r.store = newest
	require.NoError(a.t, copyFile(anchor+".kept", anchor))
	a.stop = stopped
	a.r.open(a.t)
}

// harvest reads the log: what a copy that is restored has lost was read before.
func (a *attacker) harvest() {
	require.NoError(a.t, a.r.s.Each(context.Background(), func(e signer.Entry) error {
		a.log[e.Hash] = e
		return nil
	}))
}

// refusals are how many of each client the client saw, and how many the log has.
func (a *attacker) refusals() (told, logged map[string]int) {
	told, logged = map[string]int{}, map[string]int{}
	for _, s := range a.seen {
		if s.code != "" {
			told[s.client]++
		}
	}
	for _, e := range a.log {
		var b struct{ Unlogged int }
		if e.Kind == "refuse" || e.Kind == "refusals" {
			require.NoError(a.t, json.Unmarshal(e.Body, &b))
			logged[e.Client] += b.Unlogged
		}
		if e.Kind == "refuse" {
			logged[e.Client]++
		}
	}
	return told, logged
}

// forgive takes the refusals for lost that a killed signer had counted and not yet written.
func (a *attacker) forgive() {
	a.harvest()
	told, logged := a.refusals()
	for client, n := range told {
		a.lost[client] = max(a.lost[client], n-logged[client])
	}
}

// unlogged holds what the client saw against all that was read of the log.
func (a *attacker) unlogged() {
	in := map[string]bool{}
	if a.r.forgets {
		maps.DeleteFunc(a.log, func(_ string, e signer.Entry) bool { return e.Kind == "sign" && e.Seq < 100 })
	}
	for _, e := range a.log {
		var messages struct{ Messages []struct{ ID string } }
		var signatures map[string]string
		switch e.Kind {
		case "sign":
			require.NoError(a.t, json.Unmarshal(e.Body, &messages))
		case "signature":
			require.NoError(a.t, json.Unmarshal(e.Body, &signatures))
		}
		for _, m := range messages.Messages {
			in[m.ID] = true
		}
		for id, s := range signatures {
			in[id+s] = true
		}
	}
	for _, s := range a.seen {
		for i, id := range s.ids {
			if !in[id] || !in[id+s.signatures[i]] {
				a.n.unlogged = append(a.n.unlogged, "a signature: "+id)
			}
		}
	}
	told, logged := a.refusals()
	for client, n := range told {
		if logged[client]+a.lost[client] < n {
			a.n.unlogged = append(a.n.unlogged, fmt.Sprintf("%d of %d refusals of %s", n-logged[client], n, client))
		}
	}
}

// make has an owner made, more of them than the policy lets.
func (a *attacker) make() {
	name := fmt.Sprint("user", a.d.n(20))
	k, err := a.r.s.MakeOwner(context.Background(), "c0", protocol.NewOwner{Template: "users", Name: name})
	if err != nil || a.j.made[k] {
		return
	}
	a.j.made[k] = true
	a.made = append(a.made, k)
	a.n.made++
	a.r.c.welcome(k)
	if a.stop {
		a.n.above = append(a.n.above, "made an owner although it was frozen")
	}
	if len(a.made) > mostMade {
		a.n.above = append(a.n.above, "made more owners than the policy lets")
	}
}
