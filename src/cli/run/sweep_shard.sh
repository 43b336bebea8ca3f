# Runs the programs of one shard: the end of each script that armpmu sweep --slurm writes, after programs=, per_shard=,
# shards=, dir= and the function sweep.
#
# A sweep that is interrupted reports what it has: that is no result, and the shard ends. Whoever ends a job ends this
# script, too, perhaps before the sweep has reported: only the script gives a result its name. A sweep whose program was
# killed is no result either: its table says so. A program's own status does not matter.
set -u
shard=${SLURM_ARRAY_TASK_ID:-${1:?the number of a shard}}
case $shard in *[!0-9]*|???????*) shard=-1;; esac
if [ "$shard" -lt 0 ] || [ "$shard" -ge "$shards" ]; then
    echo "armpmu: there is no such shard: they are 0 to $((shards - 1))" >&2
    exit 2
fi
i=$((shard * per_shard))
end=$((i + per_shard < programs ? i + per_shard : programs))
failed=0
while [ $i -lt $end ]; do
    i=$((i + 1))
    [ -e "$dir/results/$i.csv" ] && continue
    eval "set -- $(sed -n "${i}p" "$dir/programs")"
    counted=$dir/results/$i.part
    rm -f "$counted"
    sweep -o "$counted" -- "$@" </dev/null >"$dir/results/$i.log" 2>&1
    case $? in 130|143) exit 143;; esac
    [ "$(tail -n 1 "$counted" 2>/dev/null)" = '# complete' ] || rm -f "$counted"
    [ -e "$counted" ] && sync "$counted" && mv "$counted" "$dir/results/$i.csv" && continue
    echo "armpmu: no result of program $i, see $dir/results/$i.log" >&2
    failed=1
done
exit $failed
