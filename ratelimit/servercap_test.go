package ratelimit

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestServerCapsAreBoundedAndOrdered(t *testing.T) {
	var caps serverCaps
	for i := range 1000 { // an odd clock: ever later, ever more
		caps.add(serverCap{until: time.Duration(i+2) * time.Second, left: i}, time.Second)
	}
	assert.Len(t, caps, maxServerCaps)
	assert.Equal(t, serverCap{until: 2 * time.Second, left: 0}, untold(caps[0]))
	assert.Equal(t, serverCap{until: 1001 * time.Second, left: maxServerCaps - 1}, untold(caps[maxServerCaps-1]))
	for i := range maxServerCaps - 1 {
		assert.Less(t, caps[i].until, caps[i+1].until)
		assert.Less(t, caps[i].left, caps[i+1].left)
	}
	caps.expire(5 * time.Second)
	assert.Equal(t, serverCap{until: 6 * time.Second, left: 4}, untold(caps[0]))
	caps.expire(2000 * time.Second)
	assert.Empty(t, caps)
}

// untold is c as the service stated it.
func untold(c serverCap) serverCap {
	c.told = 0
	return c
}

// TestServerCapsForget: what is over neither refuses nor takes a place from what is
// not, and what another cap already says is not kept.
func TestServerCapsForget(t *testing.T) {
	over := serverCaps{{until: time.Second, left: 0}}
	assert.True(t, over.ready(time.Second))
	over = serverCaps{{until: time.Second, left: 0}}
	assert.Equal(t, 2*time.Second, over.earliest(2*time.Second, 0))

	var caps serverCaps
	for i := range maxServerCaps {
		caps = append(caps, serverCap{until: time.Duration(i + 1), left: i})
	}
	caps.add(serverCap{until: time.Hour, left: 99}, time.Minute)
	require.Len(t, caps, 1)
	assert.Equal(t, serverCap{until: time.Hour, left: 99}, untold(caps[0]))

	for _, row := range []struct{ old, stated, kept serverCap }{
		{serverCap{until: 10, left: 5}, serverCap{until: 5, left: 5}, serverCap{until: 10, left: 5}},
		{serverCap{until: 10, left: 5}, serverCap{until: 10, left: 7}, serverCap{until: 10, left: 5}},
		{serverCap{until: 5, left: 5}, serverCap{until: 10, left: 5}, serverCap{until: 10, left: 5}},
		{serverCap{until: 10, left: 7}, serverCap{until: 10, left: 5}, serverCap{until: 10, left: 5}},
		{serverCap{until: 10, left: 5}, serverCap{until: 10, left: 5}, serverCap{until: 10, left: 5}},
	} {
		caps := serverCaps{row.old}
		caps.add(row.stated, 0)
		require.Len(t, caps, 1, "%v after %v", row.stated, row.old)
		assert.Equal(t, row.kept, untold(caps[0]), "%v after %v", row.stated, row.old)
	}
}

// FuzzServerCaps holds the kept caps to all caps that were ever stated.
func FuzzServerCaps(f *testing.F) {
	f.Add([]byte{10, 5, 20, 3, 15, 4, 30, 9})
	f.Add([]byte{0, 0, 1, 0, 255, 255})
	f.Add([]byte{9, 1, 8, 0, 7, 2, 9, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		var caps serverCaps
		var all []serverCap
		now := time.Duration(0)
		for i := 0; i+1 < len(data) && i < 2*maxServerCaps; i += 2 {
			stated := serverCap{until: now + time.Duration(data[i]), left: int(data[i+1])}
			caps.add(stated, now)
			all = append(all, stated)
			now += time.Duration(data[i] % 3)
			for _, ahead := range []int{0, 1, 5, 100} {
				want := now
				for _, c := range all {
					if c.left <= ahead {
						want = max(want, c.until)
					}
				}
				require.Equal(t, want, caps.earliest(now, ahead))
				require.Equal(t, caps.earliest(now, 0) <= now, caps.ready(now))
			}
		}
	})
}

// TestServerCapsThatAreNews: an end that moves by no more than a second is none, from
// what was told; of too many caps the two longest become one, which is.
func TestServerCapsThatAreNews(t *testing.T) {
	second := time.Second
	var caps serverCaps
	require.True(t, caps.add(serverCap{until: 60 * second, left: 5}, 0))
	require.False(t, caps.add(serverCap{until: 61 * second, left: 5}, 0), "a second")
	require.Equal(t, serverCaps{{until: 61 * second, left: 5, told: 60 * second}}, caps)
	require.True(t, caps.add(serverCap{until: 61*second + 1, left: 5}, 0), "more than a second in all")
	require.Equal(t, serverCaps{{until: 61*second + 1, left: 5, told: 61*second + 1}}, caps)

	caps = nil
	for i := range maxServerCaps {
		require.True(t, caps.add(serverCap{until: time.Duration(10+10*i) * second, left: i}, 0))
	}
	require.True(t, caps.add(serverCap{until: 1000 * second, left: 99}, 0))
	require.Len(t, caps, maxServerCaps)
	require.Equal(t, serverCap{until: 1000 * second, left: maxServerCaps - 1, told: 1000 * second}, caps[maxServerCaps-1])
	require.Equal(t, serverCap{until: 150 * second, left: maxServerCaps - 2, told: 150 * second}, caps[maxServerCaps-2])
}
