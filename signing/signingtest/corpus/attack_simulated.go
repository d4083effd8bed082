package corpus

import (
	"encoding/binary"

	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// tokenState is a token account as a simulator shows it.
func tokenState(program, mint, owner Key, amount uint64) State {
	data := make([]byte, 165)
	copy(data, mint[:])
	copy(data[32:], owner[:])
	binary.LittleEndian.PutUint64(data[64:], amount)
	data[108] = 1
	return State{accountRent, program, data}
}

// optionally writes an optional key of a token account.
func (s State) optionally(at int, k Key) State {
	s.Data = append([]byte(nil), s.Data...)
	binary.LittleEndian.PutUint32(s.Data[at:], 1)
	copy(s.Data[at+4:], k[:])
	return s
}

// seen gives the last transaction a simulation that the simulator answers.
func (t technique) seen(m Simulation) technique {
	t.scene.last().simulation = &m
	return t
}

// change is a simulation in which one account changes.
func change(account Key, before, after State) Simulation {
	return Simulation{Before: map[Key]State{account: before}, After: map[Key]State{account: after}}
}

// innerOf is an instruction that the transaction's instruction of an index calls.
func innerOf(outer int, called ins) Inner {
	in := Inner{Outer: outer, Program: called.Program, Data: called.Data}
	for _, a := range called.Accounts {
		in.Accounts = append(in.Accounts, a.Key)
	}
	return in
}

// simulatedAttacks look honest as bytes: a call of the pinned exchange, whose
// outcome is not.
func (k *cast) simulatedAttacks() []technique {
	attack := func(rule, name, aim string, writes Key) technique {
		return k.attack("simulation."+rule, name, aim, k.trade(txbuild.WritableSigner(k.owner), txbuild.Writable(writes)))
	}
	wallet := func(lamports uint64) State { return State{Lamports: lamports} }
	usdc := func(owner Key, n uint64) State { return tokenState(spl.Program, k.usdc, owner, n) }
	bonk := func(n uint64) State { return tokenState(t22.Program, k.bonk, k.owner, n) }
	delegated := usdc(k.owner, 9).optionally(72, k.thief)
	binary.LittleEndian.PutUint64(delegated.Data[121:], 9)
	failing := func(t technique) technique { t.scene.last().leads = true; return t }
	expecting := func(s *scene) { s.intent.Receive = append(s.intent.Receive, some(k.bonk, 1000)) }
	return []technique{
		failing(attack("failed", "a swap that would fail", "take the fee and the tip", k.ourUSDC).
			seen(Simulation{Err: "custom program error: 0x1771"})),
		failing(attack("failed", "a swap that fails for want of funds", "take the fee and the tip", k.pool).
			seen(Simulation{Err: "InsufficientFundsForRent"})),
		attack("spend", "more SOL leaves than is spent", "take it in a pinned program's call", k.pool).
			seen(change(k.owner, wallet(900*k.spend), wallet(1))),
		attack("spend", "more of a token leaves than is spent", "take it in a pinned program's call", k.ourUSDC).
			seen(change(k.ourUSDC, usdc(k.owner, 5*k.spendUSDC), usdc(k.owner, 0))),
		attack("spend", "a token leaves that nobody named", "take it in a pinned program's call", k.ourBonk).
			seen(change(k.ourBonk, bonk(k.burnBonk+1), bonk(0))),
		attack("spend", "a token account vanishes", "close it in a pinned program's call", k.ourUSDC).
			seen(change(k.ourUSDC, usdc(k.owner, 5*k.spendUSDC), State{})),
		attack("arrival", "nothing arrives", "swap for nothing", k.ourBonk).with(expecting).
			seen(change(k.ourBonk, bonk(5), bonk(5))),
		attack("arrival", "a unit less arrives", "swap for less than was quoted", k.ourBonk).with(expecting).
			seen(change(k.ourBonk, bonk(5), bonk(1004))),
		attack("arrival", "it arrives at another's", "swap to the thief's account", k.pool).with(expecting).
			seen(change(k.pool, tokenState(t22.Program, k.bonk, k.thief, 0), tokenState(t22.Program, k.bonk, k.thief, 1000))),
		attack("authority", "our account has another owner", "own the tokens", k.ourUSDC).
			seen(change(k.ourUSDC, usdc(k.owner, 0), usdc(k.thief, 0))),
		attack("authority", "our account has a delegate", "take it tomorrow", k.ourUSDC).
			seen(change(k.ourUSDC, usdc(k.owner, 9), delegated)),
		attack("authority", "our account has a close authority", "close it when it is full", k.ourUSDC).
			seen(change(k.ourUSDC, usdc(k.owner, 9), usdc(k.owner, 9).optionally(129, k.thief))),
		attack("authority", "the wallet belongs to a program", "own the wallet for ever", k.pool).
			seen(change(k.owner, wallet(5), State{Lamports: 5, Owner: k.rogue})),
		attack("authority", "the wallet has data", "make the wallet unable to pay", k.pool).
			seen(change(k.owner, wallet(5), State{Lamports: 5, Data: []byte{1}})),
	}
}

// shownAttacks leave what we have, or get, to another by an outcome alone.
func (k *cast) shownAttacks() []technique {
	attack := func(rule, name, aim string, writes Key, m Simulation) technique {
		call := k.trade(txbuild.WritableSigner(k.owner), txbuild.Writable(writes))
		return k.attack("simulation."+rule, name, aim, call).seen(m)
	}
	usdc := func(n uint64) State { return tokenState(spl.Program, k.usdc, k.owner, n) }
	frozen := usdc(9)
	frozen.Data[108] = 2
	position := func(of Key) State {
		return State{Lamports: accountRent, Owner: k.rogue, Data: append(make([]byte, 8), of[:]...)}
	}
	both := func(account Key, before, after State, lamports uint64) Simulation {
		m := change(account, before, after)
		m.Before[k.owner], m.After[k.owner] = State{Lamports: 900 * k.spend}, State{Lamports: 900*k.spend - lamports}
		return m
	}
	return []technique{
		attack("authority", "our account is frozen", "hold it to ransom", k.ourUSDC, change(k.ourUSDC, usdc(9), frozen)),
		attack("authority", "a position names the thief", "own what the program keeps", k.pool,
			change(k.pool, position(k.owner), position(k.thief))),
		attack("spend", "SOL in our account of another mint", "hold it to ransom", k.ourUSDC,
			both(k.ourUSDC, usdc(9), State{accountRent + 500*k.spend, spl.Program, usdc(9).Data}, 500*k.spend)),
	}
}

// byStates are attacks as a simulator shows them that tells no calls.
func byStates(all []technique) (alone []technique) {
	for _, t := range all {
		if m := *t.scene.last().simulation; m.Err == "" {
			m.StatesOnly, t.name = true, t.name+", by states alone"
			alone = append(alone, t.seen(m))
		}
	}
	return alone
}

// innerAttacks hide in what the pinned exchange calls.
func (k *cast) innerAttacks() []technique {
	attack := func(rule, name string, called ins) technique {
		return k.attack(rule, name+" by the pinned exchange", "hide it in a pinned program's call",
			k.trade(txbuild.WritableSigner(k.owner), txbuild.Writable(k.ourUSDC)),
		).seen(Simulation{Inner: []Inner{innerOf(0, called)}})
	}
	return []technique{
		attack("system.transfer", "lamports taken", txbuild.Transfer(k.owner, k.thief, 80*k.spend)),
		attack("token.transfer", "tokens taken", spl.TransferChecked(k.ourUSDC, k.usdc, k.thiefs, k.owner, 9*k.spendUSDC, 6)),
		attack("token.approve", "a delegate approved", spl.ApproveChecked(k.ourUSDC, k.usdc, k.thief, k.owner, 1, 6)),
		attack("token.authority", "an owner set", spl.SetAuthority(k.ourUSDC, k.owner, 2, k.thief)),
		attack("token.close", "an account closed", spl.Close(k.ourUSDC, k.thief, k.owner)),
		attack("token.burn", "tokens burned", t22.Burn(k.ourBonk, k.bonk, k.owner, 2*k.burnBonk)),
		attack("token.unknown", "an account frozen", spl.Freeze(k.ourUSDC, k.usdc, k.owner)),
		attack("system.assign", "the wallet assigned", txbuild.Assign(k.owner, k.rogue)),
		attack("system.nonce", "a nonce advanced", txbuild.AdvanceNonce(k.nonce, k.owner)),
		attack("program.denied", "stake handed over",
			txbuild.Call(txbuild.Stake, []byte{1}, txbuild.WritableSigner(k.owner), txbuild.Writable(k.ourUSDC))),
	}
}
