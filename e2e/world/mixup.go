package world

import (
	"bytes"
	"slices"
)

// mixUp is what the front gives in place of an answer. What it gives depends on
// the order of requests at the same instant.
func (e *Endpoint) mixUp(q *query, at int64, body []byte) []byte {
	p := e.cfg.Profile.MixUp
	if p == 0 {
		return body
	}
	if e.given == nil {
		e.given = make(map[string][]byte)
	}
	same, latest := e.given[q.method], e.latest
	e.given[q.method], e.latest = body, body
	h := draw(e.seed, forMixUp, q.key, uint64(at))
	if !chance(p, h) {
		return body
	}
	id := append([]byte(`,"id":`), q.id...)
	bare := bytes.TrimSuffix(body, append(id, '}'))
	switch mix(h) % 8 {
	case 0, 1, 2, 3:
		if same != nil {
			return same
		}
	case 4, 5:
		if latest != nil {
			return latest
		}
	case 6:
		return append(slices.Clone(bare), `,"id":null}`...)
	}
	return append(slices.Clone(bare), '}')
}

// mixUpBatch is mixUp for the answers of a batch.
func (e *Endpoint) mixUpBatch(q *request, at int64, parts [][]byte) [][]byte {
	h := draw(e.seed, forMixUp, q.key, uint64(at))
	if !chance(e.cfg.Profile.MixUp, h) {
		return parts
	}
	switch mix(h) % 3 {
	case 0:
		slices.Reverse(parts)
	case 1:
		parts[0] = parts[len(parts)-1]
	default:
		parts = parts[1:]
	}
	return parts
}
