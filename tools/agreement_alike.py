#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Changes a copy of BookSim2's source so that it can do seven things as flitloom does, for the experiments of docs/agreement.md and
docs/adaptive-runs.md: usage

    agreement_alike.py BOOKSIM2/src        then make -C BOOKSIM2/src

The program then reads the environment variable ALIKE, whose words say what it does as flitloom does; without it nothing is
changed.
ties    half way round a ring messages go up
lanes   a message takes the lane that follows from its destination, with datelines in the midst of a way (docs/deadlock.md)
ends    a node takes in one message after the other, as they come
selves  messages of a node to itself do not enter the network
phases  by valiant_mesh a message has the lanes of its first half wherever it is on that half, also at its destination's router
escape  by min_adapt_mesh a message that came by the escape lane may go on by any lane
sets    all outputs of the same priority that a rule offers count; in BookSim2 only the first of them does
"""
import pathlib
import sys

ASK = """#include <cstring>
static bool alike(char const * what)
{
  char const * const words = getenv("ALIKE");
  return words && strstr(words, what);
}
"""
LANE = ASK + """
static void take_lane(int cur, int dest, int src, int port, bool rings, int * first, int * last)
{
  static bool const lanes = alike("lanes"), ends = alike("ends");
  if(port == 2*gN) {
    if(ends) *first = *last = 0;
    return;
  }
  if(!lanes) return;
  int lane = 0;
  if(gK == 2) {
    int base = 2;
    while(base < gNumVCs) base *= 2;
    for(int rest = dest; rest; rest /= base) lane += rest % base;
  } else {
    int unit = 1;
    for(int dim = port/2; dim > 0; --dim) unit *= gK;
    int const a = src / unit % gK, b = dest / unit % gK, c = cur / unit % gK;
    bool const up = port % 2 == 0;
    lane = b;
    if(rings && (up ? a > b : a < b))
      lane = b % (gNumVCs/2) * 2 + (up ? c < a || c == gK-1 : c > a || c == 0);
  }
  *first = *last = lane % gNumVCs;
}

"""
MESH, TORUS = ("void dim_order_%s( const Router *r, const Flit *f, int in_channel," % it for it in ("mesh", "torus"))
END = "  outputs->Clear%s;\n\n  outputs->AddRange( out_port, vcBegin, vcEnd );\n"
TAKE = "  if(!inject) take_lane(r->GetID( ), f->dest, f->src, out_port, %s, &vcBegin, &vcEnd);\n"
VALIANT, HALF = "void valiant_mesh(", "if(r->GetID() != f->dest) {"
ADAPT, STAYS = "void min_adapt_mesh(", "if ( in_vc != vcBegin ) {"
DRAWN = "_traffic_pattern[cl]->dest(source);\n"
DRAW = "( ( dist2 == 0 ) && ( RandomInt( 1 ) ) )"
SIZE = "  assert(_vc_buf_size > 0);\n}\n\nvoid BufferState::PrivateBufferPolicy::SendingFlit"
SET, ORDER = "inline bool operator<(const OutputSet::sSetElement & se1", "  return se1.pri > se2.pri; // higher priorities first!\n"
WHOLE = """  static bool const whole = getenv("ALIKE") && strstr(getenv("ALIKE"), "sets");
  if(se1.pri != se2.pri || !whole) return se1.pri > se2.pri;
  return se1.output_port != se2.output_port ? se1.output_port < se2.output_port : se1.vc_start < se2.vc_start;
"""
FULL = """  ostringstream ejection;
  ejection << "next_vc_o" << 2*config.GetInt("n");
  if(alike("ends") && parent->Name() == ejection.str()) _vc_buf_size = 1000;
"""


def change(text, places):
    """Each place, once in the text from where the last one was on: (what is there, what takes its place)."""
    at = 0
    for old, new in places:
        at = text.find(old, at)
        if at < 0:
            sys.exit(f"agreement_alike.py: this is not the BookSim2 that it knows: it has no {old.strip().splitlines()[0]!r}")
        text = text[:at] + new + text[at + len(old):]
        at += len(new)
    return text


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    source = pathlib.Path(sys.argv[1])
    routes, buffers, traffic, sets = (source / name for name in ("routefunc.cpp", "buffer_state.cpp", "trafficmanager.cpp", "outputset.hpp"))
    text = routes.read_text(encoding="utf-8")
    if "take_lane" in text:
        return
    text = change(text, [("void dor_next_torus( int cur", LANE + "void dor_next_torus( int cur"), (DRAW, '( ( dist2 == 0 ) && ( alike("ties") || RandomInt( 1 ) ) )'),
                         (MESH, MESH), (END % "()", TAKE % "false" + END % "()"),
                         (ADAPT, ADAPT), (STAYS, 'if ( in_vc != vcBegin || alike("escape") ) {'),
                         (VALIANT, VALIANT), (HALF, 'if(r->GetID() != f->dest || (f->ph == 0 && alike("phases"))) {'), (TORUS, TORUS), (END % "( )", TAKE % "true" + END % "( )")])
    routes.write_text(text, encoding="utf-8")
    text = buffers.read_text(encoding="utf-8")
    text = change(text, [("BufferState::PrivateBufferPolicy::PrivateBufferPolicy(", ASK + "\nBufferState::PrivateBufferPolicy::PrivateBufferPolicy("), (SIZE, FULL + SIZE), ("if(_occupancy > _size)", 'if(_occupancy > _size && !alike("ends"))')])
    buffers.write_text(text, encoding="utf-8")
    text = traffic.read_text(encoding="utf-8")
    text = change(text, [("void TrafficManager::_GeneratePacket(", ASK + "\nvoid TrafficManager::_GeneratePacket("), (DRAWN, DRAWN + '    if(packet_destination == source && alike("selves")) return;\n')])
    traffic.write_text(text, encoding="utf-8")
    text = sets.read_text(encoding="utf-8")
    text = change(text, [(SET, "#include <cstdlib>\n#include <cstring>\n" + SET), (ORDER, WHOLE)])
    sets.write_text(text, encoding="utf-8")


main()
