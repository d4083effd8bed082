package program

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTokenState(t *testing.T) {
	usdc, owner, thief, friend := address("usdc"), address("owner"), address("thief"), address("friend")
	d := make([]byte, TokenAccountSize)
	copy(d, usdc[:])
	copy(d[32:], owner[:])
	binary.LittleEndian.PutUint64(d[64:], 5)
	binary.LittleEndian.PutUint32(d[72:], 1)
	copy(d[76:], thief[:])
	d[108] = 1
	binary.LittleEndian.PutUint64(d[121:], 3)
	binary.LittleEndian.PutUint32(d[129:], 1)
	copy(d[133:], friend[:])
	good := State{2_039_280, Token2022, d}

	state, ok := ReadTokenState(good)
	require.True(t, ok)
	assert.Equal(t, TokenState{usdc, owner, 5, thief, 3, friend}, state)
	many := State{good.Lamports, Token, bytes.Repeat([]byte{0xfe}, TokenAccountSize)} // each byte of each number
	state, ok = ReadTokenState(many)
	require.True(t, ok)
	assert.Equal(t, uint64(0xfefefefefefefefe), state.Amount)
	assert.Equal(t, uint64(0xfefefefefefefefe), state.Delegated)
	for at, is := range map[int]func(TokenState) bool{
		72: func(s TokenState) bool { return s.Delegate == thief && s.Delegated == 3 }, 129: func(s TokenState) bool { return s.CloseAuthority == friend },
	} { // each byte of an option says that there is one
		none := State{good.Lamports, Token, bytes.Clone(d)}
		clear(none.Data[at : at+4])
		state, ok := ReadTokenState(none)
		require.True(t, ok)
		assert.False(t, is(state), "what lies behind an option that is none is nobody's")
		if at == 72 {
			assert.Zero(t, state.Delegate)
			assert.Zero(t, state.Delegated)
		} else {
			assert.Zero(t, state.CloseAuthority)
		}
		for i := range 4 {
			none.Data[at+i] = 1
			state, ok := ReadTokenState(none)
			require.True(t, ok)
			assert.True(t, is(state))
			none.Data[at+i] = 0
		}
	}
	extended := good
	extended.Data = append(bytes.Clone(good.Data), accountTypeToken, 1, 2)
	_, ok = ReadTokenState(extended)
	assert.True(t, ok)
	for name, change := range map[string]func(*State){
		"another program": func(a *State) { a.Owner = address("exchange") },
		"short":           func(a *State) { a.Data = a.Data[:164] },
		"uninitialised":   func(a *State) { a.Data[108] = 0 },
		"a mint":          func(a *State) { a.Data = append(a.Data, 1) },
	} {
		bad := State{good.Lamports, good.Owner, bytes.Clone(good.Data)}
		change(&bad)
		state, ok := ReadTokenState(bad)
		assert.False(t, ok, name)
		assert.Zero(t, state, name)
	}
}
