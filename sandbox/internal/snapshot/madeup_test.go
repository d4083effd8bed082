package snapshot_test

import (
	"bytes"
	"encoding/binary"
	"os"
	"os/exec"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox/internal/snapshot"
)

type (
	wide struct{ A [64]uint64 }
	hall struct {
		any   any
		Wide  []wide
		Texts []string
		Marks map[int8]wide
		None  []struct{}
	}
	chain struct{ next *chain }
)

// anyOf is how a value in an interface begins.
func anyOf(typ string) []byte { return append([]byte{1, byte(len(typ))}, typ...) }

// TestDeepNestingIsAnError in a process of its own, since a stack that overflows ends it.
func TestDeepNestingIsAnError(t *testing.T) {
	const child = "SNAPSHOT_TEST_DEEP"
	if os.Getenv(child) == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
		cmd.Env = append(os.Environ(), child+"=1")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%.300s", out)
		return
	}
	lists := bytes.Repeat(append(anyOf("[]interface {}"), 2), 4<<20)
	_, err := state(&hall{}).Read(lists)
	require.ErrorContains(t, err, "nested")
	var pointers []byte
	for id := range uint64(10 << 20) {
		pointers = binary.AppendUvarint(pointers, id+2)
	}
	_, err = state(&chain{}).Read(pointers)
	require.ErrorContains(t, err, "nested")

	long := &chain{}
	for range 1 << 20 {
		long = &chain{long}
	}
	_, err = state(long).Write()
	require.ErrorContains(t, err, "nested", "what could not be read is not written")
}

func TestWhatJSONNestsIsWrittenAndRead(t *testing.T) {
	h := &hall{}
	for range 10_000 {
		h.any = []any{h.any}
	}
	raw, err := state(h).Write()
	require.NoError(t, err)
	into := &hall{}
	commit, err := state(into).Read(raw)
	require.NoError(t, err)
	commit()
	again, err := state(into).Write()
	require.NoError(t, err)
	assert.Equal(t, raw, again)
}

// TestMemoryIsInProportion: what a snapshot says that it has does not take memory before it is there.
func TestMemoryIsInProportion(t *testing.T) {
	const size = 1 << 20
	said := binary.AppendUvarint(nil, size/2)
	for name, begin := range map[string][]byte{
		"wide":   append([]byte{0}, said...),
		"texts":  append([]byte{0, 0}, said...),
		"marks":  append([]byte{0, 0, 0}, said...),
		"nested": bytes.Repeat(append(anyOf("[]interface {}"), said...), 1000),
	} {
		raw := append(append([]byte{}, begin...), make([]byte, size)...)
		raw[len(raw)-1] = 0x80 // it ends early
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := state(&hall{}).Read(raw)
		runtime.ReadMemStats(&after)
		require.Error(t, err, name)
		assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(64*size), name)
	}
	_, err := state(&hall{}).Read(append([]byte{0, 0, 0, 0}, binary.AppendUvarint(nil, 1<<40)...))
	require.ErrorContains(t, err, "ends early")
	_, err = snapshot.State{Roots: []any{&hall{}}}.Read([]byte{0, 0, 0, 0, 101})
	require.NoError(t, err, "100 values of no size")
}
