package corpus

import (
	"maps"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// rentBound is as much as the policy lets accounts cost, and more than tip and fee.
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
	// What is swapped arrives with it, and hides the loss.
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

// keptByOthers move value within the pinned exchange's call to accounts that are ours by their addresses,
// and that the simulation shows to be somebody else's to open.
func (k *cast) keptByOthers() []technique {
	const much = 1 << 50
	attack := func(rule, name, aim string, before, after map[Key]State, called ...ins) technique {
		m := change(k.owner, State{Lamports: 90 * k.spend}, State{Lamports: 91 * k.spend})
		maps.Copy(m.Before, before)
		maps.Copy(m.After, after)
		for _, one := range called {
			m.Inner = append(m.Inner, innerOf(0, one))
		}
		writes := []txbuild.Account{txbuild.WritableSigner(k.owner), txbuild.Writable(k.pool), txbuild.Writable(k.listed),
			txbuild.Writable(k.ourSOL), txbuild.Writable(k.ourUSDC)}
		return k.attack(rule, name, aim, k.trade(writes...)).with(spendsNoSOL).seen(m)
	}
	at := func(account Key, s State) map[Key]State { return map[Key]State{account: s} }
	wrapped := tokenState(spl.Program, txbuild.NativeMint, k.thief, rentBound)
	handed := func(n uint64) map[Key]State { return at(k.ourUSDC, tokenState(spl.Program, k.usdc, k.thief, n)) }
	ours := tokenState(spl.Program, k.emptied[0], k.owner, 1)
	frozen := tokenState(spl.Program, k.emptied[0], k.owner, 1)
	frozen.Data[108] = 2
	return []technique{
		attack("system.transfer", "lamports to our wrapped account, which is the thief's", "own what is kept there",
			at(k.ourSOL, wrapped), at(k.ourSOL, wrapped), txbuild.Transfer(k.owner, k.ourSOL, rentBound)),
		attack("token.transfer", "tokens to our associated account, which is the thief's", "own what is kept there",
			handed(0), handed(much), spl.TransferChecked(k.listed, k.usdc, k.ourUSDC, k.owner, much, 6)),
		attack("simulation.arrival", "SOL that arrives as the rent of a frozen account of ours", "hold it to ransom",
			nil, at(k.pool, frozen)).with(func(s *scene) {
			s.last().simulation.After[k.owner] = State{Lamports: 90*k.spend - 1}
			s.intent.Receive = append(s.intent.Receive, some(txbuild.NativeMint, accountRent))
		}),
		attack("simulation.spend", "rent of an account of ours, which was not asked for", "have it cost something",
			nil, at(k.pool, ours)).with(func(s *scene) {
			s.last().simulation.After[k.owner] = State{Lamports: 90*k.spend - accountRent}
			s.intent.MaxRentLamports, s.intent.TipLamports, s.intent.ServiceFee = new(walletfi.Amount), 0, nil
		}),
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

// closesShown close accounts of unnamed mints to a sponsor, which a
// simulation shows.
func (k *cast) closesShown() []technique {
	attack := func(name string, before State) technique {
		t := k.attack("token.close", name, "take more than the rent", spl.Close(k.pool, k.sponsor, k.owner))
		return t.with(k.paidBySponsor).seen(change(k.pool, before, State{}))
	}
	long := tokenState(spl.Program, k.emptied[0], k.owner, 0)
	long.Lamports++
	return []technique{
		attack("an unknown account with tokens to the sponsor", tokenState(spl.Program, k.emptied[0], k.owner, 1)),
		attack("an unknown account of wrapped SOL to the sponsor", tokenState(spl.Program, txbuild.NativeMint, k.owner, 0)),
		attack("an unknown account with more than its rent to the sponsor", long),
		attack("another's account to the sponsor", tokenState(spl.Program, k.emptied[0], k.friend, 0)),
	}
}

// emptyShown are closes to a sponsor that a simulation shows to leave no more than rent.
func (k *cast) emptyShown() []shape {
	empty := tokenState(spl.Program, k.emptied[0], k.owner, 0)
	m, filled := change(k.pool, empty, State{}), change(k.pool, empty, State{})
	filled.Before = map[Key]State{k.pool: tokenState(spl.Program, k.emptied[0], k.owner, 1)}
	closed := k.honest("burnclose", "rent of an unknown account that was empty, to the sponsor",
		spl.Close(k.pool, k.sponsor, k.owner)).with(k.paidBySponsor)
	closed.scene.last().simulation = &m
	known := k.honest("burnclose", "rent of a known account to the sponsor, simulated",
		spl.Close(k.ourUSDC, k.sponsor, k.owner)).spends(k.usdc, 0).with(k.paidBySponsor)
	gone := change(k.ourUSDC, tokenState(spl.Program, k.usdc, k.owner, 0), State{})
	more := change(k.ourUSDC, tokenState(spl.Program, k.usdc, k.owner, 0), State{})
	more.Before = map[Key]State{k.ourUSDC: {accountRent + 1, spl.Program, more.Before[k.ourUSDC].Data}}
	known.scene.last().simulation = &gone
	return []shape{
		closed.spoiledBy("token.close", "with a unit in it", func(s *scene) { s.last().simulation = &filled }),
		known.spoiledBy("simulation.spend", "with a lamport more", func(s *scene) { s.last().simulation = &more }),
	}
}
