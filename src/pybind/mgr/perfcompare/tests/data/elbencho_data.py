"""Results as elbencho writes them, by its own definition of the fields."""

CONFIG = (
    'label,path type,paths,hosts,threads,dirs,files,file size,block size,'
    'direct IO,random,random aligned,IO depth,shared paths,truncate'
)
FIGURES = (
    'operation,time ms [first],time ms [last],entries/s [first],'
    'entries/s [last],IOPS [first],IOPS [last],MiB/s [first],MiB/s [last],'
    'CPU% [first],CPU% [last],entries [first],entries [last],MiB [first],'
    'MiB [last],Ent lat us [min],Ent lat us [avg],Ent lat us [max],'
    'IO lat us [min],IO lat us [avg],IO lat us [max]'
)
MIX = ','.join(
    f'rwmix read {name}'
    for name in (
        'entries/s [first],entries/s [last],IOPS [first],IOPS [last],'
        'MiB/s [first],MiB/s [last],entries [first],entries [last],'
        'MiB [first],MiB [last],Ent lat us [min],Ent lat us [avg],'
        'Ent lat us [max],IO lat us [min],IO lat us [avg],IO lat us [max]'
    ).split(',')
)
NAMES = f'ISO date,{CONFIG},{FIGURES},{MIX},version,command'.split(',')
DEFAULTS = {
    'ISO date': '2026-06-21T12:00:00.250+0200',
    'path type': 'bucket',
    'paths': '1',
    'hosts': '2',
    'threads': '4',
    'file size': '4194304',
    'block size': '4194304',
    'direct IO': '0',
    'random': '0',
    'IO depth': '2',
    'operation': 'WRITE',
    'time ms [first]': '9800',
    'time ms [last]': '12000',
    'entries/s [first]': '120',
    'entries/s [last]': '110',
    'IOPS [first]': '120',
    'IOPS [last]': '110',
    'MiB/s [first]': '480',
    'MiB/s [last]': '440',
    'Ent lat us [min]': '9000',
    'Ent lat us [avg]': '66000',
    'Ent lat us [max]': '250000',
    'IO lat us [min]': '8000',
    'IO lat us [avg]': '65000',
    'IO lat us [max]': '240000',
    'version': '3.1-9',
    'command': '"elbencho" "-w" ',
}


def csv_of(*rows):
    lines = [','.join(NAMES)]
    for row in rows:
        held = {**DEFAULTS, **row}
        lines.append(','.join(held.get(name, '') for name in NAMES))
    return '\n'.join(lines) + '\n'
