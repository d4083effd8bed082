package corpus

import (
	"maps"

	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// rentBound is what the policy lets accounts cost, and more than tip and fee.
const rentBound = 29_000_000

// spendsNoSOL leaves SOL to tip, fee and rent.
func spendsNoSOL(s *scene) { s.intent.Spend = s.intent.Spend[1:] }

// passingForRent take lamports in the pinned exchange's call that make no account.
func (k *cast) passingForRent() []technique {
	attack := func(rule, name string, m Simulation) technique {
		return k.attack(rule, name, "take what accounts may cost", k.trade(txbuild.WritableSigner(k.owner),
			txbuild.Writable(k.pool), txbuild.Writable(k.thief))).with(spendsNoSOL).seen(m)
	}
	leaving := func(n uint64, states map[Key]State, called ...ins) Simulation {
		m := change(k.owner, State{Lamports: 90 * k.spend}, State{Lamports: 90*k.spend - n})
		maps.Copy(m.After, states)
		for _, one := range called {
			m.Inner = append(m.Inner, innerOf(0, one))
		}
		return m
	}
	// What is swapped arrives beside it, and hides the loss.
	masked := func(states map[Key]State, called ...ins) Simulation {
		m := leaving(0, states, called...)
		m.After[k.owner] = State{Lamports: 91 * k.spend}
		return m
	}
	made := func(space int) map[Key]State {
		return map[Key]State{k.pool: {rentBound, k.exchange, make([]byte, space)}}
	}
	half := uint64(rentBound / 2)
	return []technique{
		attack("system.transfer", "lamports to a stranger that pass for rent",
			masked(nil, txbuild.Transfer(k.owner, k.thief, rentBound))),
		attack("system.transfer", "the rent of a long account for a short one",
			masked(made(300), txbuild.Transfer(k.owner, k.pool, rentBound))),
		attack("system.transfer", "the rent of one account, three times", masked(made(rentBound/2/6960-128),
			txbuild.Transfer(k.owner, k.pool, half), txbuild.Transfer(k.owner, k.pool, half/2),
			txbuild.Transfer(k.owner, k.pool, half/2))),
		attack("system.transfer", "rent for an account that has it", func() Simulation {
			m := masked(made(3000), txbuild.Transfer(k.owner, k.pool, rentBound/2))
			m.Before[k.pool] = State{Lamports: rentBound, Owner: k.exchange, Data: make([]byte, 3000)}
			return m
		}()),
		attack("simulation.spend", "lamports gone that made nothing", leaving(rentBound, nil)),
		attack("simulation.spend", "an account made, and closed to the thief", leaving(rentBound, nil,
			txbuild.CreateAccount(k.owner, k.pool, rentBound, 4100, k.exchange))),
	}
}

// rents are those of accounts that a pinned program makes in its call.
func (k *cast) rents() []shape {
	const space, rent = 300, (300 + 128) * 6960
	seen := func(name string, after State, called ...ins) shape {
		h := k.honest("leverage", name, k.trade(txbuild.WritableSigner(k.owner), txbuild.Writable(k.pool)))
		m := change(k.owner, State{Lamports: k.spend}, State{Lamports: k.spend - rent})
		m.After[k.pool] = after
		for _, one := range called {
			m.Inner = append(m.Inner, innerOf(0, one))
		}
		h.scene.last().simulation = &m
		return h
	}
	after := func(at Key, state State) func(*scene) {
		return func(s *scene) {
			m := *s.last().simulation
			m.After = maps.Clone(m.After)
			m.After[at] = state
			s.last().simulation = &m
		}
	}
	made := State{rent, k.exchange, make([]byte, space)}
	pays := txbuild.Transfer(k.owner, k.pool, rent)
	grown := seen("an account grown in the call, and filled up", State{rent + 1, k.exchange, make([]byte, 2*space)}, pays)
	grown.scene.last().simulation.Before[k.pool] = State{Lamports: 1, Owner: k.exchange, Data: make([]byte, space)}
	return []shape{
		seen("an account made in the call", made, txbuild.CreateAccount(k.owner, k.pool, rent, space, k.exchange)).
			spoiledBy("simulation.spend", "that is not there afterwards", after(k.pool, State{})),
		seen("an account paid for, allocated and assigned in the call", made, pays,
			txbuild.Allocate(k.pool, space), txbuild.Assign(k.pool, k.exchange)).
			spoiledBy("simulation.spend", "more gone than that", after(k.owner, State{Lamports: k.spend - rent - 10_001})),
		grown.spoiledBy("system.transfer", "that is a plain one", after(k.pool, State{Lamports: rent})),
	}
}
